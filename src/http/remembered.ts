/** Remembers what a pure function made of the texts it was given of late. */
import { BoundedMap } from '../cache/bounded-map.ts';

/** Texts remembered per function: partners ask the same few queries again and again. */
const REMEMBERED_TEXTS = 500;
/** Longer texts are rare, and would make the bound in entries no bound in memory. */
const LONGEST_TEXT = 500;

/** `compute` with a memory; errors are not remembered. The results must never be changed. */
export function remembered<Result>(compute: (text: string) => Result): (text: string) => Result {
  const results = new BoundedMap<string, Result>(REMEMBERED_TEXTS);
  return (text) => {
    const known = results.get(text);
    if (known !== undefined) return known;
    const result = compute(text);
    if (text.length <= LONGEST_TEXT) results.set(text, result);
    return result;
  };
}
