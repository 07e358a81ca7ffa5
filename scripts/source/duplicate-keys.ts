/**
 * Keys that an object of a JSON text has twice. JSON's own reader takes the last one and says
 * nothing, so that half of what somebody wrote would be lost.
 *
 * A text without such keys has as many colons outside strings as its value has members, which is
 * quickly counted; only where that differs is the text looked through.
 */

const QUOTE = 0x22;
const COLON = 0x3a;
const BACKSLASH = 0x5c;

/** Paths of the keys that `text` repeats: dotted, elements of arrays by their number. */
export function repeatedKeys(bytes: Uint8Array, text: string, value: unknown): string[] {
  return countColons(bytes) === countMembers(value) ? [] : findRepeated(text);
}

function countColons(bytes: Uint8Array): number {
  let colons = 0;
  let inString = false;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (inString) {
      if (byte === BACKSLASH) at++;
      else if (byte === QUOTE) inString = false;
    } else if (byte === QUOTE) inString = true;
    else if (byte === COLON) colons++;
  }
  return colons;
}

/** Without recursion: a text may be nested deeper than the stack is. */
function countMembers(value: unknown): number {
  let members = 0;
  const open: unknown[] = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next !== 'object' || next === null) continue;
    const isArray = Array.isArray(next);
    for (const member of isArray ? next : Object.values(next)) {
      if (!isArray) members++;
      if (typeof member === 'object' && member !== null) open.push(member);
    }
  }
  return members;
}

/** An object or array that is open where the text is being read. */
interface Level {
  readonly keys: Set<string>;
  /** Of the member that is being read, or the number of the element. */
  step: string | number;
}

function findRepeated(text: string): string[] {
  const found: string[] = [];
  const levels: Level[] = [];
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    const level = levels.at(-1);
    if (character === '{' || character === '[') {
      levels.push({ keys: new Set(), step: character === '[' ? 0 : '' });
    } else if (character === '}' || character === ']') levels.pop();
    else if (character === ',' && typeof level?.step === 'number') level.step++;
    else if (character === '"') {
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

/** Where the string whose opening quote is at `start` ends. */
function stringEnd(text: string, start: number): number {
  let at = start + 1;
  while (text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at + 1;
}

/** Whether a string that ends at `end` is followed by a colon. */
function isKey(text: string, end: number): boolean {
  let at = end;
  while (/\s/.test(text[at] ?? '')) at++;
  return text[at] === ':';
}
