/**
 * Keys that an object of a JSON text has twice. JSON's own reader takes the last one and says
 * nothing, so that one of the two values would be lost.
 */

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPENING_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSING_BRACKET = 0x5d;
const OPENING_BRACE = 0x7b;
const CLOSING_BRACE = 0x7d;

/** The last of JSON's white space, in code units. */
const BLANK = 0x20;

/** An object or array that is open where the text is being read. */
interface Level {
  readonly keys: Set<string>;
  /** Of the member that is being read, or the number of the element. */
  step: string | number;
}

/** Paths of the keys that `text`, which is JSON, repeats: dotted, elements of arrays by their number. */
export function repeatedKeys(text: string): string[] {
  const found: string[] = [];
  const levels: Level[] = [];
  let level: Level | undefined;
  for (let at = 0; at < text.length; at++) {
    const character = text.charCodeAt(at);
    if (character === OPENING_BRACE || character === OPENING_BRACKET) {
      level = { keys: new Set(), step: character === OPENING_BRACKET ? 0 : '' };
      levels.push(level);
    } else if (character === CLOSING_BRACE || character === CLOSING_BRACKET) {
      levels.pop();
      level = levels.at(-1);
    } else if (character === COMMA && typeof level?.step === 'number') level.step++;
    else if (character === QUOTE) {
      const end = stringEnd(text, at);
      if (level && isKey(text, end)) {
        level.step = JSON.parse(text.slice(at, end)) as string;
        if (level.keys.has(level.step)) found.push(levels.map(({ step }) => step).join('.'));
        level.keys.add(level.step);
      }
      at = end - 1;
    }
  }
  return found;
}

/**
 * Where the string whose opening quote is at `start` ends. A loop, for a regular expression overflows
 * the stack where millions of characters are escaped.
 */
function stringEnd(text: string, start: number): number {
  let at = start + 1;
  while (text.charCodeAt(at) !== QUOTE) at += text.charCodeAt(at) === BACKSLASH ? 2 : 1;
  return at + 1;
}

/** Whether a string that ends at `end` is followed by a colon. */
function isKey(text: string, end: number): boolean {
  let at = end;
  while (text.charCodeAt(at) <= BLANK) at++;
  return text.charCodeAt(at) === COLON;
}
