/** Finds towns in pieces of their list, which lie beside the page. */
import { foldWords } from '../../../../src/model/fold-text.ts';
import { MISTYPED, type Town, townsIn } from '../model/towns.ts';
import type { FileList } from './file-list.ts';

/** Letters of the pieces in which a typing error is searched; the piece without letters has large towns. */
const SURE_LETTERS = [0, 1, 2, 3];

/**
 * Returns the towns that were probably meant, the best fit first. Only where no name is or begins as it was
 * typed, it allows typing errors.
 * @param pieces by the letters with which their names begin; the browser keeps them
 * @throws when a piece cannot be loaded
 */
export async function townsNamed(pieces: FileList, typed: string): Promise<Town[]> {
  const words = foldWords(typed);
  if (words === '') return [];
  const known = await pieces.addresses();
  const readPiece = async (letters: string) => (await pieces.load(letters))?.text() ?? '';
  let length = words.length;
  while (length > 0 && !known.has(words.slice(0, length))) length--;
  const towns = townsIn(await readPiece(words.slice(0, length)), words);
  const spelled = towns.filter(({ fit }) => fit < MISTYPED);
  if (spelled.length > 0) return spelled;
  const near = SURE_LETTERS.filter((letters) => letters < words.length);
  const texts = await Promise.all(near.map((letters) => readPiece(words.slice(0, letters))));
  return townsIn([...new Set(texts.join('\n').split('\n'))].join('\n'), words);
}
