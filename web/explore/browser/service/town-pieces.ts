/** Loads the pieces of the list of towns, which lie beside the page. */
import { foldWords } from '../../../../src/model/fold-text.ts';
import { type Town, townsIn } from '../model/towns.ts';

/** Letters after whose pieces a typing error is looked for, none of them too: that piece has large towns. */
const SURE_LETTERS = [0, 1, 2, 3];

/** By the letters of each piece. */
type Addresses = Readonly<Record<string, string>>;

/** @param list the address of the list of pieces: their addresses by their letters */
export function townFinder(list: string) {
  let addresses: Promise<Addresses> | null = null;
  const pieces = new Map<string, Promise<string>>();

  async function addressesOfPieces(): Promise<Addresses> {
    const asked = addresses ?? load(list).then((answer) => answer.json() as Promise<Addresses>);
    addresses = asked;
    try {
      return await asked;
    } catch (error) {
      addresses = null;
      throw error;
    }
  }

  async function piece(letters: string): Promise<string> {
    const address = (await addressesOfPieces())[letters];
    if (address === undefined) return '';
    const text = pieces.get(letters) ?? load(address).then((answer) => answer.text());
    pieces.set(letters, text);
    text.catch(() => pieces.delete(letters));
    return text;
  }

  return {
    /** Loads what every search needs, before the first letter is typed. */
    prepare: () => void addressesOfPieces().catch(() => {}),

    /**
     * Returns the towns that were probably meant, those that fit best first. Only where no name is or
     * begins as it was typed, typing errors are looked for.
     * @throws when a piece cannot be loaded
     */
    async find(typed: string): Promise<Town[]> {
      const words = foldWords(typed);
      if (words === '') return [];
      const known = await addressesOfPieces();
      let length = words.length;
      while (length > 0 && known[words.slice(0, length)] === undefined) length--;
      const towns = townsIn(await piece(words.slice(0, length)), words);
      if (towns.some(({ fit }) => fit < 3)) return towns.filter(({ fit }) => fit < 3);
      const near = SURE_LETTERS.filter((letters) => letters < words.length);
      const texts = await Promise.all(near.map((letters) => piece(words.slice(0, letters))));
      return townsIn([...new Set(texts.join('\n').split('\n'))].join('\n'), words);
    },
  };
}

async function load(address: string): Promise<Response> {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${address}: ${answer.status}`);
  return answer;
}
