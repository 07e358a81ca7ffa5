/** One spelling for each country, so that lists count `France` and `FRANCE` as one. */
import { foldWords } from '../../src/model/fold-text.ts';

/**
 * Returns the countries of each store. Those that `country.in` holds for equal are spelled as most
 * stores spell them, of equally many spellings as the first by code unit. A country without letter
 * or digit is left out.
 */
export function spellCountries(stores: readonly (readonly string[])[]): string[][] {
  const counts = new Map<string, number>();
  for (const country of stores.flat()) counts.set(country, (counts.get(country) ?? 0) + 1);
  // The order of code units holds among equally frequent ones: sorting is stable.
  const spellings = [...counts.keys()].sort();
  spellings.sort((a, b) => (counts.get(b) as number) - (counts.get(a) as number));
  const equal = Map.groupBy(spellings, foldWords);
  equal.delete('');
  const shown = new Map(
    [...equal.values()].flatMap((group) => group.map((each) => [each, group[0] as string])),
  );
  return stores.map((countries) => countries.flatMap((country) => shown.get(country) ?? []));
}
