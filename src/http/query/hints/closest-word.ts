/** Suggests what a misspelled name was probably meant to be. */

/** One slip is forgiven for every three letters, and never more than a few: comparing takes time. */
const LETTERS_PER_SLIP = 3;
const MAX_SLIPS = 4;

/**
 * Returns ` Did you mean "…"?` with the word that `text` most likely means; nothing if no word is
 * close. Case does not matter. The first of these wins, and of equals the first: the same word; a
 * path that ends with `text` (`latitude`: `position.latitude`), or else has it further up
 * (`currency`: `pricing.currency.isoCode`); a word that begins and ends as `text` does
 * (`geo.location.city`; `EBIKE`: `ELECTRIC_BIKE`, not `BIKE`); the text before a hyphen or
 * underscore (`it-IT`: `it`); the word with the fewest slips.
 */
export function suggestion(text: string, words: readonly string[]): string {
  const wanted = text.toLowerCase();
  // What stands before the last dot, or else the first letter, and the rest.
  const [, head = '', tail = '?'] = /^(.+(?=\.)|.)[-_]?(.{3,})$/.exec(wanted) ?? [];
  const known = words.map((word) => word.toLowerCase());
  const indexes = [
    known.indexOf(wanted),
    known.findIndex((word) => word.endsWith(`.${wanted}`)),
    known.findIndex((word) => `.${word}`.includes(`.${wanted}.`)),
    known.findIndex((word) => word.startsWith(head) && word.endsWith(tail)),
    known.indexOf(wanted.replace(/[-_].*/s, '')),
    withFewestSlips(wanted, known),
  ];
  const index = indexes.find((each) => each >= 0);
  return index === undefined ? '' : ` Did you mean "${words[index]}"?`;
}

/** Returns the index of the word with the fewest slips; -1 when all have too many. */
function withFewestSlips(text: string, words: readonly string[]): number {
  // The longest part of a dotted path decides how many slips are forgiven. The whole path would
  // forgive so many that `geo.location.x` would be close to everything below `geo.location`.
  const letters = Math.max(...text.split('.').map((part) => part.length));
  let limit = Math.min(MAX_SLIPS, Math.floor(letters / LETTERS_PER_SLIP)) + 1;
  let closest = -1;
  for (const [index, word] of words.entries()) {
    const slips = countSlips(text, word, limit);
    if (slips >= limit) continue;
    limit = slips;
    closest = index;
  }
  return closest;
}

/**
 * Returns how many letters were left out, added, replaced or swapped with their neighbour between
 * `a` and `b` (the optimal string alignment distance). Stops at `limit`, which most words reach at
 * once.
 */
export function countSlips(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit;
  // A row has the distances between one beginning of a and all beginnings of b.
  let rowBefore: number[] = [];
  let previous: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, length) => length);
  for (let i = 1; i <= a.length; i++) {
    [rowBefore, previous, row] = [previous, row, [i]];
    let slips = i;
    let least = i;
    for (let j = 1; j <= b.length; j++) {
      const replaced = (previous[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1);
      slips = Math.min(replaced, slips + 1, (previous[j] as number) + 1);
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (isSwapped) slips = Math.min(slips, (rowBefore[j - 2] as number) + 1);
      if (slips < least) least = slips;
      row.push(slips);
    }
    if (least >= limit) return limit;
  }
  return Math.min(row[b.length] as number, limit);
}
