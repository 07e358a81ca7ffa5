/** Texts of a request as logs and answers may show them: without secrets, and not endless. */

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
  // A character outside the basic plane is a pair of units: half of one is not shown.
  return `${safe.slice(0, LONGEST).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

/** The same in quotes. */
export function quote(text: string): string {
  return `"${shorten(text)}"`;
}

const MARKUP: Readonly<Record<string, string>> = { '<': '\\u003c', '>': '\\u003e', '&': '\\u0026' };

/** `value` as JSON in which nothing can be taken for HTML, should a browser try. */
export function jsonWithoutMarkup(value: unknown): string {
  return JSON.stringify(value).replace(/[<>&]/g, (character) => MARKUP[character] as string);
}
