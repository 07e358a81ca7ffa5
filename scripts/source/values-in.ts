/** What is within a value of JSON, and what its text alone shows: keys given twice, where it ends, and that it is none. */

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
  /** Once there are two of them: a text may open millions of objects. */
  keys: Set<string> | null;
  /** Key of the member that is being read, null before the first; of an array the number of the element. */
  step: string | number | null;
}

/**
 * Scans the text of one value, an object or a list, which may be no JSON, from its first character at `start`. Returns
 * - the paths of the keys that are repeated: dotted, elements of arrays by their number. JSON's own reader takes the
 *   last one and says nothing, so that one of the two values would be lost;
 * - where the value ends, or, if the text ends before it, the last member of it that is whole;
 * - what closes the value there: nothing at its end.
 */
export function scanValue(text: string, start: number) {
  const repeated: string[] = [];
  const levels: Level[] = [];
  let level: Level | undefined;
  let end = 0;
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const sign = text[at];
    if (sign === '{' || sign === '[') {
      level = { keys: null, step: sign === '{' ? null : 0 };
      levels.push(level);
    } else if (sign === '}' || sign === ']') {
      levels.pop();
      level = levels.at(-1);
      end = at + 1;
      depth = levels.length;
      if (depth === 0) break;
    } else if (sign === ',') {
      if (typeof level?.step === 'number') level.step++;
      end = at;
      depth = levels.length;
    } else if (sign === '"') {
      const behind = stringEnd(text, at);
      KEY_END.lastIndex = behind;
      if (level && typeof level.step !== 'number' && KEY_END.test(text)) {
        if (level.step !== null) level.keys ??= new Set([level.step]);
        level.step = String(tryParse(text.slice(at, behind)));
        if (level.keys?.has(level.step)) repeated.push(levels.map(({ step }) => step).join('.'));
        level.keys?.add(level.step);
      }
      at = behind - 1;
    }
  }
  const closers = levels.slice(0, depth).map(({ step }) => (typeof step === 'number' ? ']' : '}'));
  return { repeated, end, closing: closers.reverse().join('') };
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
