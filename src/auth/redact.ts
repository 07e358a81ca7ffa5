/** Makes texts of a request fit for logs and answers: without secrets, and not too long. */
import { withoutHashes } from './token.ts';

/** A marker and the letters and digits after it, up to the next marker, as in `sk_test_sk_test_…`. */
const TOKENS = /sk_(test|live)_(?:(?!sk_(?:test|live)_)[A-Za-z0-9])+/gi;

/** An escape such as `%5F`, percent-encoded once more or many times: `%255F`. */
const ESCAPES = /%(?:25)*([2-7][0-9A-F])/gi;

const TOKEN_CHARACTER = /[\w-]/;

/**
 * How often escapes are read of which the digits are escapes themselves: `%25%35%46`. A text of more
 * levels hides something.
 */
const MAX_LEVELS = 16;

/** Longest name or value that is shown, in characters. */
const MAX_LENGTH = 60;

/**
 * Returns `text` without the secret part of any token, however it is percent-encoded, and without the
 * hash of one. Where there is no token the text stays as it is.
 */
export function redact(text: string): string {
  const plain = text.includes('%') ? withoutEscapes(text) : text;
  if (plain === null) return 'unreadable';
  const safe = withoutHashes(plain.replace(TOKENS, 'sk_$1_[redacted]'));
  return safe === plain ? text : safe;
}

/** Returns `text` with the escapes of token characters decoded; null: there are too many levels. */
function withoutEscapes(text: string): string | null {
  let plain = text;
  for (let level = 0; level < MAX_LEVELS; level++) {
    const read = plain.replace(ESCAPES, unescaped);
    if (read === plain) return plain;
    plain = read;
  }
  return null;
}

/** Returns the character of an escape, where a token may have it. */
function unescaped(written: string, digits: string): string {
  const character = String.fromCharCode(Number.parseInt(digits, 16));
  return TOKEN_CHARACTER.test(character) ? character : written;
}

/** Returns a name or value without secrets, cut after 60 characters. */
export function shorten(text: string): string {
  const safe = redact(text);
  if (safe.length <= MAX_LENGTH) return safe;
  // Characters such as emoji take two units of a string. None is cut in half.
  return `${safe.slice(0, MAX_LENGTH).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

/** Returns the same in quotes. */
export function quote(text: string): string {
  return `"${shorten(text)}"`;
}
