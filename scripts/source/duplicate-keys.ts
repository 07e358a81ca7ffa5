/**
 * Keys that an object of a JSON text has twice. JSON's own reader takes the last one and says
 * nothing, so that one of the two values would be lost.
 */

/** What follows a key, and no other string. */
const KEY_END = /[ \t\n\r]*:/y;

/** An object or array that is open where the text is being read. */
interface Level {
  readonly keys: Set<string>;
  /** Of the member that is being read, or the number of the element. */
  step: string | number;
}

/** Returns the paths of the keys that `text`, which is JSON, repeats: dotted, elements of arrays by their number. */
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
export function stringEnd(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at + 1;
}
