import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { leaveMap, map, moved } from '../camera.ts';
import { find } from '../dom.ts';
import { goal, searchArea, state } from '../model/current.ts';
import { lineFree } from '../service/inquiry.ts';
import { Away } from './Away.tsx';

/** Milliseconds after which a map that is not there yet is spoken of. */
const PATIENCE = 10_000;

const WITHOUT = 'The list works without it.';

/** What stands instead of the map, or above it, and whether drawing it anew may help. */
const notice = signal<{ readonly text: string; readonly mayRetry: boolean } | null>(null);

/** Shows the map, what is to be said of it, and below it, where nothing is covered, its legend and tools. */
export function MapStage() {
  useEffect(() => void drawMap(), []);
  return (
    <>
      <div id="map" />
      <SearchArea />
      <Notice />
      <div id="below-map">
        <p class="legend">
          <span class="pin" /> a store <span class="cluster">9</span> several: click to tell them
          apart
        </p>
        <p class="credits">
          <Away to="https://www.naturalearthdata.com/">Natural Earth</Away>
          {' · '}
          <Away to="https://www.geonames.org/">GeoNames</Away> (
          <Away to="https://creativecommons.org/licenses/by/4.0/">CC BY 4.0</Away>){' · '}
          <Away to="https://maplibre.org/">MapLibre</Away>
        </p>
        <div id="map-tools" />
      </div>
    </>
  );
}

/** Shows a button that searches where the user has moved the map to. */
const SearchArea = () =>
  goal.value === 'free' && (state.value.place || state.value.words) ? (
    <button
      type="button"
      id="search-area"
      onClick={() => {
        searchArea();
        document.querySelector<HTMLElement>('#map canvas')?.focus();
      }}
    >
      Search this area
    </button>
  ) : null;

const Notice = () => (
  <div id="map-notice" role="status" tabIndex={-1}>
    {notice.value && <p>{notice.value.text}</p>}
    {notice.value?.mayRetry && (
      <button type="button" onClick={drawMap}>
        Try again
      </button>
    )}
  </div>
);

/** Ends the map that is there, or on its way. */
let drawing = new AbortController();

/** Draws the map, or says why there is none. A map that is there, or on its way, gives way to the new one, with its view. */
async function drawMap(): Promise<void> {
  leaveMap();
  drawing.abort();
  drawing = new AbortController();
  const { signal } = drawing;
  const { dataset } = find('map');
  delete dataset.drawn;
  notice.value = { text: 'Loading the map …', mayRetry: false };
  const tell = (text: string, mayRetry = true) => {
    clearTimeout(timer);
    lineFree.resolve();
    if (!signal.aborted) notice.value = { text: `${text} ${WITHOUT}`, mayRetry };
  };
  const timer = setTimeout(() => tell('The map takes long to load.'), PATIENCE);
  if (document.createElement('canvas').getContext('webgl2') === null) {
    tell('This browser cannot draw the map (it has no WebGL).', false);
    return;
  }
  let isWhole = true;
  const onDrawn = () => {
    clearTimeout(timer);
    dataset.drawn = '';
    lineFree.resolve();
    if (isWhole) notice.value = null;
  };
  const onFault = () => {
    isWhole = false;
    tell('The map could not be loaded in full.');
  };
  // On their way beside the library, which asks for them only once it runs.
  const { worker = '', tiles = '' } = find('explore').dataset;
  for (const file of [worker, tiles]) fetch(file).catch(() => {});
  try {
    // It is larger than all else together.
    const { StoreMap } = await import('../map/store-map.ts');
    if (signal.aborted) return;
    map.value = await StoreMap.draw({ worker, tiles, onMoved: moved, onDrawn, onFault, signal });
  } catch {
    tell('The map could not be loaded.');
  }
}
