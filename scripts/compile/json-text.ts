/** Finds its way in JSON text as `JSON.stringify` writes it: no white space between tokens. */

export const COMMA = 0x2c;
export const COLON = 0x3a;
export const CLOSE_BRACKET = 0x5d;
export const CLOSE_BRACE = 0x7d;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACKET = 0x5b;
const OPEN_BRACE = 0x7b;

/** Where the value at `start` ends. */
export function skipValue(bytes: Uint8Array, start: number): number {
  let depth = 0;
  for (let at = start; ; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) at = skipString(bytes, at) - 1;
    else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) depth++;
    else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) depth--;
    // A value ends before a separator, before the bracket that holds it, or with the text.
    if (depth === 0 && isBoundary(bytes[at + 1])) return at + 1;
  }
}

/** Where the string whose opening quote is at `start` ends. */
function skipString(bytes: Uint8Array, start: number): number {
  let at = start + 1;
  while (bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  return at + 1;
}

function isBoundary(byte: number | undefined): boolean {
  return byte === COMMA || byte === CLOSE_BRACE || byte === CLOSE_BRACKET || byte === undefined;
}
