/**
 * Towns by the beginning of their names. The list is one text, a line a town, the most populous first:
 *
 *     folded name <tab> name <tab> country <tab> latitude <tab> longitude
 *
 * It is searched as it is: splitting it would block the page for longer than all searches together.
 */
import { foldWords } from '../../../../src/model/fold-text.ts';

/** Its country as ISO 3166 has it: `FR`. */
export type Town = ReturnType<typeof readTown>;

/** Towns with a name, or else a word of it, that begins so; the most populous of each first. */
export function findTowns(list: string, typed: string, most: number): Town[] {
  const words = foldWords(typed);
  if (words === '') return [];
  const lines = new Set<number>();
  for (const beginning of [`\n${words}`, ` ${words}`]) {
    let at = list.indexOf(beginning);
    while (at >= 0 && lines.size < most) {
      lines.add(list.lastIndexOf('\n', at));
      at = list.indexOf(beginning, at + 1);
    }
  }
  return [...lines].map((line) => readTown(list.slice(line + 1, endOf(list, line + 1))));
}

/** The most populous town of exactly this name, or null. */
export function townNamed(list: string, typed: string): Town | null {
  const line = list.indexOf(`\n${foldWords(typed)}\t`);
  return line < 0 ? null : readTown(list.slice(line + 1, endOf(list, line + 1)));
}

function endOf(list: string, start: number): number {
  const end = list.indexOf('\n', start);
  return end < 0 ? list.length : end;
}

function readTown(line: string) {
  const [, name = '', country = '', latitude, longitude] = line.split('\t');
  return { name, country, latitude: Number(latitude), longitude: Number(longitude) };
}
