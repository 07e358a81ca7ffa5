import { isMoved, lookFor, state } from '../model/current.ts';

/** Shows a button that searches where the user has moved the map to. */
export const SearchArea = () =>
  isMoved.value && (state.value.place || state.value.words) ? (
    <button type="button" id="search-area" onClick={() => lookFor('')}>
      Search this area
    </button>
  ) : null;
