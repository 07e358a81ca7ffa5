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

/** A string, with the colon behind it if it is a key, or a sign that opens, ends or parts values. */
const TOKEN = /"(?:[^"\\]+|\\.)*"(\s*:)?|[{}[\],]/g;

function findRepeated(text: string): string[] {
  const found: string[] = [];
  const levels: Level[] = [];
  for (const [token, colon] of text.matchAll(TOKEN)) {
    const level = levels.at(-1);
    if (token === '{' || token === '[') {
      levels.push({ keys: new Set(), step: token === '[' ? 0 : '' });
    } else if (token === '}' || token === ']') levels.pop();
    else if (token === ',' && typeof level?.step === 'number') level.step++;
    else if (level && colon !== undefined) {
      level.step = JSON.parse(token.slice(0, -colon.length)) as string;
      if (level.keys.has(level.step)) found.push(levels.map(({ step }) => step).join('.'));
      level.keys.add(level.step);
    }
  }
  return found;
}
