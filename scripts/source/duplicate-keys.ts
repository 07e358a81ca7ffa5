/**
 * Keys that an object of a JSON text has twice. JSON's own reader takes the last one and says
 * nothing, so that one of the two values would be lost.
 *
 * A text without such keys has as many keys as its value has members, which is quickly counted; only
 * where that differs is the text looked through.
 */

/** Nesting that no store has. */
const DEEP = 64;

/** Paths of the keys that `text` repeats: dotted, elements of arrays by their number. */
export function repeatedKeys(text: string, value: unknown): string[] {
  return countKeys(text) === countMembers(value, 0) ? [] : findRepeated(text);
}

/**
 * How many quotes a colon follows: every key, and quotes escaped within a text, if a colon follows
 * them. These cost a closer look, and are no fault.
 */
function countKeys(text: string): number {
  return text.match(/"\s*:/g)?.length ?? 0;
}

/** Not a number for a value that is nested too deep to be counted by recursion. */
function countMembers(value: unknown, depth: number): number {
  if (typeof value !== 'object' || value === null) return 0;
  if (depth > DEEP) return Number.NaN;
  let members = 0;
  if (Array.isArray(value)) {
    for (const element of value) members += countMembers(element, depth + 1);
    return members;
  }
  for (const key in value) {
    members += 1 + countMembers((value as Readonly<Record<string, unknown>>)[key], depth + 1);
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

/**
 * Where the string whose opening quote is at `start` ends. A loop, for a regular expression overflows
 * the stack where millions of characters are escaped.
 */
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
