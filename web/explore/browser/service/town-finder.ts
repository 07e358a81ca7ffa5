/** Finds towns in pieces of their list, which lie beside the page. */
import { foldWords } from '../../../../src/model/fold-text.ts';
import { MISTYPED, type Town, townsIn } from '../model/towns.ts';
import { FileList } from './file-list.ts';

/** Letters of the pieces in which a typing error is searched; the piece without letters has large towns. */
const SURE_LETTERS = [0, 1, 2, 3];

/** Loads pieces when they are needed; the browser keeps them. */
export class TownFinder {
  readonly #files: FileList;

  /** @param list the address of the list of pieces */
  constructor(list: string) {
    this.#files = new FileList(list);
  }

  /** Loads what every search needs, before the first letter is typed. */
  prepare(): void {
    this.#files.addresses().catch(() => {});
  }

  /**
   * Returns the towns that were probably meant, the best fit first. Only where no name is or begins as it was
   * typed, it allows typing errors.
   * @throws when a piece cannot be loaded
   */
  async find(typed: string): Promise<Town[]> {
    const words = foldWords(typed);
    if (words === '') return [];
    const known = await this.#files.addresses();
    let length = words.length;
    while (length > 0 && !known.has(words.slice(0, length))) length--;
    const towns = townsIn(await this.#readPiece(words.slice(0, length)), words);
    const spelled = towns.filter(({ fit }) => fit < MISTYPED);
    if (spelled.length > 0) return spelled;
    const near = SURE_LETTERS.filter((letters) => letters < words.length);
    const texts = await Promise.all(
      near.map((letters) => this.#readPiece(words.slice(0, letters))),
    );
    return townsIn([...new Set(texts.join('\n').split('\n'))].join('\n'), words);
  }

  async #readPiece(letters: string): Promise<string> {
    return (await this.#files.load(letters))?.text() ?? '';
  }
}
