/** Suggests what a misspelled name was probably meant to be. */

/** Longer texts are not compared: no name is as long, and comparing takes time. */
const LONGEST_TEXT = 100;

/** Kinds of letters that are told apart when they are counted. */
const LETTER_KINDS = 32;

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
 * (`latitude`: `position.latitude`), else one that begins and ends as `text` does
 * (`geo.location.city`), else the one with the fewest slips; the first among equals.
 */
export function closestWord(text: string, words: readonly string[]): string | null {
  if (text === '' || text.length > LONGEST_TEXT) return null;
  const wanted = text.toLowerCase();
  const ending = `.${wanted}`;
  const all = candidatesOf(words);
  const last = wanted.lastIndexOf('.');
  const [head, tail] = [wanted.slice(0, last + 1), wanted.slice(last)];
  const closest =
    all.find((candidate) => candidate.text === wanted) ??
    all.find((candidate) => candidate.text.endsWith(ending)) ??
    all.find(({ text: path }) => last > 0 && path.startsWith(head) && path.endsWith(tail)) ??
    withFewestSlips(wanted, all);
  return closest?.word ?? null;
}

function withFewestSlips(text: string, all: readonly Candidate[]): Candidate | null {
  // The longest part of a dotted path decides how many slips are forgiven. The whole path would
  // forgive so many that `geo.location.x` would be close to everything below `geo.location`.
  const letters = Math.max(...text.split('.').map((part) => part.length));
  let limit = Math.floor(letters / LETTERS_PER_SLIP) + 1;
  const counts = countLetters(text);
  let closest: Candidate | null = null;
  for (const candidate of all) {
    if (Math.abs(text.length - candidate.text.length) >= limit) continue;
    if (leastSlips(counts, candidate.counts) >= limit) continue;
    const slips = countSlips(text, candidate.text, limit);
    if (slips >= limit) continue;
    limit = slips;
    closest = candidate;
  }
  return closest;
}

/** A word as texts are compared with it. */
interface Candidate {
  readonly word: string;
  /** In lower case. */
  readonly text: string;
  readonly counts: Uint8Array;
}

/** Of each list of words: there are few lists, and each is compared with many texts. */
const candidates = new WeakMap<readonly string[], readonly Candidate[]>();

function candidatesOf(words: readonly string[]): readonly Candidate[] {
  const known = candidates.get(words);
  if (known) return known;
  const made = words.map((word): Candidate => {
    const text = word.toLowerCase();
    return { word, text, counts: countLetters(text) };
  });
  candidates.set(words, made);
  return made;
}

/** How often each letter occurs; letters whose codes end alike are counted together. */
function countLetters(text: string): Uint8Array {
  const counts = new Uint8Array(LETTER_KINDS);
  for (let index = 0; index < text.length; index++) {
    const kind = text.charCodeAt(index) % LETTER_KINDS;
    counts[kind] = (counts[kind] as number) + 1;
  }
  return counts;
}

/**
 * No two texts with these letters have fewer slips between them: each letter that one of them has
 * too many is one. Noise is told from a misspelling by that, in a fraction of the time.
 */
function leastSlips(a: Uint8Array, b: Uint8Array): number {
  let more = 0;
  let fewer = 0;
  for (let kind = 0; kind < LETTER_KINDS; kind++) {
    const difference = (a[kind] as number) - (b[kind] as number);
    if (difference > 0) more += difference;
    else fewer -= difference;
  }
  return Math.max(more, fewer);
}

/** What `countSlips` works on: the letters of the second text, and three rows of its table. */
const letters = new Uint16Array(2 * LONGEST_TEXT);
const rows = [0, 1, 2].map(() => new Uint16Array(2 * LONGEST_TEXT + 2));

/**
 * How many letters were left out, added, replaced or swapped with their neighbour between `a` and
 * `b`, at most twice as long as the longest text (the optimal string alignment distance). Stops at `limit`, which most words reach at once.
 */
export function countSlips(a: string, b: string, limit: number): number {
  const longer = b.length - a.length;
  if (Math.abs(longer) >= limit) return limit;
  // A row of the table has the distances between one beginning of a and all beginnings of b. Only
  // the last three rows are needed, and of these what lies near the diagonal: where the lengths of
  // the beginnings and of the ends differ by `limit` in all, there are as many slips.
  const lowest = Math.ceil((longer - limit + 1) / 2);
  const highest = Math.floor((longer + limit - 1) / 2);
  let [rowBefore, previous, row] = rows as [Uint16Array, Uint16Array, Uint16Array];
  for (let j = 0; j < b.length; j++) letters[j] = b.charCodeAt(j);
  for (let j = 0; j < b.length + 2; j++) row[j] = Math.min(j, limit);
  let letterBefore = -1;
  for (let i = 1; i <= a.length; i++) {
    [rowBefore, previous, row] = [previous, row, rowBefore];
    const from = Math.max(1, i + lowest);
    const to = Math.min(b.length, i + highest);
    const letter = a.charCodeAt(i - 1);
    let slips = from === 1 ? Math.min(i, limit) : limit;
    let least = from === 1 ? slips + Math.abs(longer + i) : limit;
    row[from - 1] = slips;
    row[to + 1] = limit;
    for (let j = from; j <= to; j++) {
      const other = letters[j - 1] as number;
      const replaced = (previous[j - 1] as number) + (letter === other ? 0 : 1);
      const added = Math.min(slips, previous[j] as number) + 1;
      slips = Math.min(replaced, added);
      if (letterBefore === other && j > 1 && letter === letters[j - 2]) {
        slips = Math.min(slips, (rowBefore[j - 2] as number) + 1);
      }
      row[j] = slips;
      // The ends differ in length by that much at least.
      least = Math.min(least, slips + Math.abs(longer - j + i));
    }
    if (least >= limit) return limit;
    letterBefore = letter;
  }
  return Math.min(row[b.length] as number, limit);
}
