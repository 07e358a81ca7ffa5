/** Suggests what a misspelled name was probably meant to be. */

/** Longer texts are not compared: no name is as long, and comparing takes time. */
const LONGEST_TEXT = 100;

/** One slip is forgiven for every three letters. */
const LETTERS_PER_SLIP = 3;

/** ` Did you mean "…"?` with the word of `words` that is closest to `text`, or nothing. */
export function suggestion(text: string, words: readonly string[]): string {
  const word = closestWord(text, words);
  return word === null ? '' : ` Did you mean "${word}"?`;
}

/**
 * The word that `text` was most likely meant to be, upper and lower case aside; null when it is
 * like none of them. It is the same word in another case, else a path that ends with `text`
 * (`latitude`: `position.latitude`), else the one with the fewest slips; the first among equals.
 */
export function closestWord(text: string, words: readonly string[]): string | null {
  if (text === '' || text.length > LONGEST_TEXT) return null;
  const wanted = text.toLowerCase();
  const ending = `.${wanted}`;
  return (
    words.find((word) => word.toLowerCase() === wanted) ??
    words.find((word) => word.toLowerCase().endsWith(ending)) ??
    wordWithFewestSlips(wanted, words)
  );
}

function wordWithFewestSlips(text: string, words: readonly string[]): string | null {
  // The longest part of a dotted path decides how many slips are forgiven. The whole path would
  // forgive so many that `geo.location.x` would be close to everything below `geo.location`.
  const letters = Math.max(...text.split('.').map((part) => part.length));
  let limit = Math.floor(letters / LETTERS_PER_SLIP) + 1;
  let closest: string | null = null;
  for (const word of words) {
    const slips = countSlips(text, word.toLowerCase(), limit);
    if (slips >= limit) continue;
    limit = slips;
    closest = word;
  }
  return closest;
}

/**
 * How many letters were left out, added, replaced or swapped with their neighbour between `a` and
 * `b` (the optimal string alignment distance). Stops at `limit`, which most words reach at once.
 */
export function countSlips(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit;
  // A row of the table has the distances between one beginning of a and all beginnings of b. Only
  // the last three rows are needed.
  let rowBefore: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, length) => length);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = at(previous, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      let slips = Math.min(at(previous, j) + 1, at(row, j - 1) + 1, replaced);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        slips = Math.min(slips, at(rowBefore, j - 2) + 1);
      }
      row.push(slips);
    }
    // No number of a later row is smaller than the smallest of this one.
    if (Math.min(...row) >= limit) return limit;
    rowBefore = previous;
    previous = row;
  }
  return Math.min(at(previous, b.length), limit);
}

const at = (row: readonly number[], index: number): number => row[index] as number;
