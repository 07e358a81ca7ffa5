/** Stands instead of the list where no store is in view: says why, and what leads on. */
import { map, showAll } from '../camera.ts';
import {
  filter,
  found,
  inOrder,
  isStale,
  listed,
  lookAround,
  searchArea,
  state,
} from '../model/current.ts';
import { DEFAULT_RADIUS, hasFilters, NO_FILTERS } from '../model/state.ts';
import { counted, describeNone } from '../model/words.ts';

export function Message() {
  if (!found.value?.isComplete || isStale.value || listed.value.length > 0) return null;
  const isElsewhere = inOrder.value.some(({ point }) => point);
  return <div id="message">{isElsewhere ? <Elsewhere /> : <Nothing />}</div>;
}

/** Says that there are stores, but not where the map is. */
const Elsewhere = () => (
  <>
    <h2>No stores in this part of the map</h2>
    <p>What was found lies outside of it.</p>
    <div class="actions">
      <button type="button" onClick={showAll}>
        Show all {counted(inOrder.value.length, 'store')}
      </button>
      <button type="button" onClick={searchArea}>
        Search this area
      </button>
    </div>
  </>
);

function Nothing() {
  const isFiltered = hasFilters(state.value);
  const { place, words } = state.value;
  return (
    <>
      <h2>{describeNone(state.value)}</h2>
      <p>{isFiltered ? '' : 'Look elsewhere, or for something else.'}</p>
      <div class="actions">
        {isFiltered && (
          <button type="button" onClick={() => filter(NO_FILTERS)}>
            Clear filters
          </button>
        )}
        {place || words ? (
          <button type="button" onClick={searchArea}>
            {map.value ? 'Show all in this area' : 'Show all stores'}
          </button>
        ) : (
          map.value && (
            <button type="button" onClick={lookNearby}>
              Show the nearest
            </button>
          )
        )}
      </div>
    </>
  );
}

/** Looks for the stores that are nearest to the middle of the map. */
function lookNearby(): void {
  if (!map.value) return;
  const { latitude, longitude } = map.value.view();
  const place = { latitude, longitude, radius: DEFAULT_RADIUS, name: 'the middle of the map' };
  lookAround(place, { countries: state.value.countries });
}
