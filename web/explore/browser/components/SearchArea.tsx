import { isMoved, lookFor, state } from '../model/current.ts';

/** Looks where the user has moved the map to, in the place of what was asked. */
export const SearchArea = () =>
  isMoved.value && (state.value.place || state.value.words) ? (
    <button type="button" id="search-area" onClick={() => lookFor('')}>
      Search this area
    </button>
  ) : null;
