/** Texts of a request, made fit for logs and answers: without secrets, and not too long. */

const TOKENS = /sk(?:_|%5f)(test|live)(?:_|%5f)[A-Za-z0-9]+/gi;

/** Longest name or value that is shown. */
const LONGEST = 60;

/** `text` with the secret part of every token taken out. */
export function redact(text: string): string {
  return text.replace(TOKENS, 'sk_$1_[redacted]');
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
