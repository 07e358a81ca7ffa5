/** Texts of a request as logs and error bodies may show them: without the secret of a token. */

const TOKENS = /sk(?:_|%5f)(test|live)(?:_|%5f)[A-Za-z0-9]+/gi;

/** `text` with the secret part of every token taken out. */
export function redact(text: string): string {
  return text.replace(TOKENS, 'sk_$1_[redacted]');
}
