/** Towns as the pieces have them that `basemap/search-towns.ts` cuts; its top draws their lines. */
import { countSlips } from '../../../../src/model/count-slips.ts';
import { foldWords } from '../../../../src/model/fold-text.ts';

export interface Town {
  /** The name that was looked for, as people write it. */
  readonly name: string;
  /** Its usual name, where that is another one. */
  readonly usualName: string | null;
  /** Its country as ISO 3166 has it: `FR`. */
  readonly country: string;
  /** Empty unless the country has another town of this name. */
  readonly region: string;
  readonly latitude: number;
  readonly longitude: number;
  readonly inhabitants: number;
  /** How well the name fits: 0 whole, 1 by its beginning, 2 by the beginning of another word, or `MISTYPED`. */
  readonly fit: number;
}

/** The fit of a name with a typing error, and of none. */
export const MISTYPED = 3;
const UNFIT = 4;

/** How many times as large a town has to be as another of its name to be meant without asking. */
const CLEARLY_LARGER = 10;

/** Letters that a name needs before a typing error in it is forgiven. */
const MIN_LETTERS = 4;

/**
 * Returns the towns of a piece that were probably meant, those that fit best first, and of equals the
 * most populous.
 * @param words folded
 */
export function townsIn(piece: string, words: string): Town[] {
  const lines = piece === '' ? [] : piece.split('\n');
  const towns = lines.flatMap((line) => townIn(line, words) ?? []);
  return towns.sort((a, b) => a.fit - b.fit || b.inhabitants - a.inhabitants);
}

/** Returns the town that a whole name means; null where several share it, or none has it. */
export function townMeant(towns: readonly Town[]): Town | null {
  const [first, second] = towns.filter(({ fit }) => fit === 0);
  const isClear = !second || (first?.inhabitants ?? 0) >= CLEARLY_LARGER * second.inhabitants;
  return first && isClear ? first : null;
}

function townIn(line: string, words: string): Town | null {
  const [written = '', country = '', region = '', latitude, longitude, inhabitants] =
    line.split('\t');
  const names = written.split(';');
  let best = { fit: UNFIT, name: '' };
  for (const name of names) {
    const fit = fitOf(foldWords(name), words);
    if (fit < best.fit) best = { fit, name };
  }
  if (best.fit === UNFIT) return null;
  const [usual = ''] = names;
  return {
    ...best,
    usualName: usual === best.name ? null : usual,
    country,
    region,
    latitude: Number(latitude),
    longitude: Number(longitude),
    inhabitants: Number(inhabitants),
  };
}

function fitOf(name: string, words: string): number {
  if (name === words) return 0;
  if (name.startsWith(words)) return 1;
  if (name.includes(` ${words}`)) return 2;
  return words.length >= MIN_LETTERS && countSlips(name, words, 2) === 1 ? MISTYPED : UNFIT;
}
