/** Suggests what a misspelled name was probably meant to be. */
import { countSlips } from '../../../model/count-slips.ts';

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
