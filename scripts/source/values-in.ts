/**
 * What is within a value of JSON, and what its text alone shows: keys given twice, where the first value ends, and
 * that it is none.
 */

export type JsonObject = Readonly<Record<string, unknown>>;

/** A value within another, and where it lies: dotted, elements of lists by number. */
export interface LocatedValue {
  readonly path: string;
  readonly value: unknown;
}

/** Returns a value and all in it, each after what holds it. A loop: text of an export may nest without end. */
export function* valuesIn(whole: unknown): Generator<LocatedValue> {
  const left: LocatedValue[] = [{ path: '', value: whole }];
  for (const located of left) {
    yield located;
    const { path, value } = located;
    if (typeof value !== 'object' || value === null) continue;
    for (const [key, each] of Object.entries(value)) {
      left.push({ path: path === '' ? key : `${path}.${key}`, value: each });
    }
  }
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What follows a key, and no other string. */
const KEY_END = /[ \t\n\r]*:/y;

/** An object or array that is open where the text is being read. */
interface Level {
  readonly keys: Set<string>;
  /** Of the member that is being read, or the number of the element. */
  step: string | number;
}

/**
 * Returns the paths of the keys that `text`, which is JSON, repeats: dotted, elements of arrays by their number. JSON's
 * own reader takes the last one and says nothing, so that one of the two values would be lost.
 */
export function repeatedKeys(text: string): string[] {
  const found: string[] = [];
  const levels: Level[] = [];
  let level: Level | undefined;
  for (let at = 0; at < text.length; at++) {
    const sign = text[at];
    if (sign === '{' || sign === '[') {
      level = { keys: new Set(), step: sign === '[' ? 0 : '' };
      levels.push(level);
    } else if (sign === '}' || sign === ']') {
      levels.pop();
      level = levels.at(-1);
    } else if (sign === ',' && typeof level?.step === 'number') level.step++;
    else if (sign === '"') {
      const end = stringEnd(text, at);
      KEY_END.lastIndex = end;
      if (level && KEY_END.test(text)) {
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
 * Returns where the string ends whose opening quote is at `start`; behind `text` when it does not end. A loop, for a
 * regular expression overflows the stack where millions of characters are escaped.
 */
function stringEnd(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at + 1;
}

/**
 * Reads the first value of a text that begins with an object or a list (undefined: it is no JSON), and where it ends.
 * Where the text ends before the value, that is null, and the value is closed behind the last member that is whole.
 */
export function firstValue(text: string) {
  const closers: string[] = [];
  /** Where the text can be closed: what is open there is a beginning of what is open later. */
  let cut = { end: 0, depth: 0 };
  let isWhole = false;
  for (let at = text.search(/[[{]/); at < text.length && !isWhole; at++) {
    const sign = text[at];
    if (sign === '"') at = stringEnd(text, at) - 1;
    else if (sign === '{') closers.push('}');
    else if (sign === '[') closers.push(']');
    else if (sign === ',') cut = { end: at, depth: closers.length };
    else if (sign === '}' || sign === ']') {
      closers.pop();
      cut = { end: at + 1, depth: closers.length };
      isWhole = closers.length === 0;
    }
  }
  const closing = closers.slice(0, cut.depth).reverse().join('');
  const value = tryParse(text.slice(0, cut.end) + closing);
  return { value, end: isWhole && value !== undefined ? cut.end : null };
}

/** Returns the value of a text, undefined when it is no JSON. */
export function tryParse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns whether the first value of a text is a list. */
export function isJsonArray(text: string): boolean {
  return /^\s*\[/.test(text);
}

/** Control characters that texts do not have. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const NO_TEXT = /[\0-\x08\x0e-\x1a\x1c\x1d\x1f]/g;

/** Returns whether a text has a NUL, or more control characters than slips put there. */
export function isBinary(text: string): boolean {
  const { length } = text.match(NO_TEXT) ?? '';
  return text.includes('\0') || length > Math.max(3, text.length / 50);
}
