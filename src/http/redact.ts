/** Keeps access tokens out of logs and error bodies, wherever a caller may have put one. */

const TOKENS = /sk(?:_|%5f)(test|live)(?:_|%5f)[A-Za-z0-9]+/gi;

/** `text` with the secret part of every token taken out. */
export function redact(text: string): string {
  return text.replace(TOKENS, 'sk_$1_[redacted]');
}
