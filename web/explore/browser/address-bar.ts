/** The address of the page: kept in line with its state, and followed where it is changed otherwise. */
import { readAddress, writeAddress } from './address.ts';
import type { ExploreState, Vocabulary } from './state.ts';

export class AddressBar {
  private readonly vocabulary: Vocabulary;
  /** What was written last. */
  private written = '';

  /** @param onChange told when the user or a link leads to another state of this page */
  constructor(vocabulary: Vocabulary, onChange: (state: ExploreState) => void) {
    this.vocabulary = vocabulary;
    window.addEventListener('hashchange', ({ newURL }) => {
      // Not `location`: a map that still moves may have written its view there meanwhile.
      const { hash } = new URL(newURL);
      if (hash.slice(1) !== this.written) onChange(readAddress(hash, vocabulary));
    });
  }

  /** What the address says now. */
  read(): ExploreState {
    return readAddress(location.hash, this.vocabulary);
  }

  /** In the place of the address before: the way back leads to the page before this one. */
  write(state: ExploreState): void {
    this.written = writeAddress(state);
    history.replaceState(null, '', this.written === '' ? location.pathname : `#${this.written}`);
  }
}
