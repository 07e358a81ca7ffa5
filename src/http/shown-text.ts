/** Texts of a request, made fit for logs and answers: without secrets, and not too long. */
import { withoutHashes } from '../auth/token.ts';

const TOKENS = /sk_(test|live)_[A-Za-z0-9]+/gi;

/** An escape such as `%5F`, percent-encoded once more or many times: `%255F`. */
const ESCAPES = /%(?:25)*([2-7][0-9A-F])/gi;

const TOKEN_CHARACTER = /[\w-]/;

/** Longest name or value that is shown. */
const LONGEST = 60;

/**
 * `text` without the secret part of any token, however it is percent-encoded, and without the hash of
 * one. Where there is no token the text stays as it is.
 */
export function redact(text: string): string {
  const plain = text.includes('%') ? text.replace(ESCAPES, unescaped) : text;
  const safe = withoutHashes(plain.replace(TOKENS, 'sk_$1_[redacted]'));
  return safe === plain ? text : safe;
}

/** The character of an escape, where a token may have it. */
function unescaped(written: string, digits: string): string {
  const character = String.fromCharCode(Number.parseInt(digits, 16));
  return TOKEN_CHARACTER.test(character) ? character : written;
}

/** A name or value without secrets, cut after 60 characters. */
export function shorten(text: string): string {
  const safe = redact(text);
  if (safe.length <= LONGEST) return safe;
  // Characters such as emoji take two units of a string. None is cut in half.
  return `${safe.slice(0, LONGEST).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

/** The same in quotes. */
export function quote(text: string): string {
  return `"${shorten(text)}"`;
}

const MARKUP: Readonly<Record<string, string>> = { '<': '\\u003c', '>': '\\u003e', '&': '\\u0026' };

/** `value` as JSON without `<`, `>` and `&`: no browser that guesses takes it for HTML. */
export function jsonWithoutMarkup(value: unknown): string {
  return JSON.stringify(value).replace(/[<>&]/g, (character) => MARKUP[character] as string);
}
