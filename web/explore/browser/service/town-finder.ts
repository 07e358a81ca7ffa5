/** Finds towns in pieces of their list, which lie beside the page. */
import { foldWords } from '../../../../src/model/fold-text.ts';
import { MISTYPED, type Town, townsIn } from '../model/towns.ts';

/** Letters after whose pieces a typing error is looked for; the piece without letters has large towns. */
const SURE_LETTERS = [0, 1, 2, 3];

/** By the letters of each piece. */
type Addresses = Readonly<Record<string, string>>;

/** Loads each piece once, when it is first needed. */
export class TownFinder {
  readonly #list: string;
  #addresses: Promise<Addresses> | null = null;
  readonly #pieces = new Map<string, Promise<string>>();

  /** @param list the address of the list of pieces */
  constructor(list: string) {
    this.#list = list;
  }

  /** Loads what every search needs, before the first letter is typed. */
  prepare(): void {
    this.#readAddresses().catch(() => {});
  }

  /**
   * Returns the towns that were probably meant, those that fit best first. Only where no name is or
   * begins as it was typed, typing errors are looked for.
   * @throws when a piece cannot be loaded
   */
  async find(typed: string): Promise<Town[]> {
    const words = foldWords(typed);
    if (words === '') return [];
    const known = await this.#readAddresses();
    let length = words.length;
    while (length > 0 && known[words.slice(0, length)] === undefined) length--;
    const towns = townsIn(await this.#readPiece(words.slice(0, length)), words);
    const spelled = towns.filter(({ fit }) => fit < MISTYPED);
    if (spelled.length > 0) return spelled;
    const near = SURE_LETTERS.filter((letters) => letters < words.length);
    const texts = await Promise.all(
      near.map((letters) => this.#readPiece(words.slice(0, letters))),
    );
    return townsIn([...new Set(texts.join('\n').split('\n'))].join('\n'), words);
  }

  async #readAddresses(): Promise<Addresses> {
    const addresses =
      this.#addresses ?? load(this.#list).then((answer) => answer.json() as Promise<Addresses>);
    this.#addresses = addresses;
    try {
      return await addresses;
    } catch (error) {
      this.#addresses = null;
      throw error;
    }
  }

  async #readPiece(letters: string): Promise<string> {
    const address = (await this.#readAddresses())[letters];
    if (address === undefined) return '';
    const piece = this.#pieces.get(letters) ?? load(address).then((answer) => answer.text());
    this.#pieces.set(letters, piece);
    piece.catch(() => this.#pieces.delete(letters));
    return piece;
  }
}

async function load(address: string): Promise<Response> {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${address}: ${answer.status}`);
  return answer;
}
