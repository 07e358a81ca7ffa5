import { render } from 'preact';
import { useEffect } from 'preact/hooks';
import { drawMap, map, mapNotice } from '../map/drawn-map.ts';
import { isMoved, lookFor, state } from '../model/current.ts';
import { Away } from './Away.tsx';
import { PinCard } from './PinCard.tsx';

/** Shows the map, what is to be said of it, and below it, where nothing is covered, its legend and tools. */
export function MapStage() {
  useEffect(draw, []);
  return (
    <>
      <div id="map" />
      <div id="over-map">
        <SearchArea />
      </div>
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
  isMoved.value && (state.value.place || state.value.words) ? (
    <button type="button" id="search-area" onClick={() => lookFor('')}>
      Search this area
    </button>
  ) : null;

function Notice() {
  const notice = mapNotice.value;
  return (
    <div id="map-notice" role="status">
      {notice && <p>{notice.text}</p>}
      {notice?.mayRetry && (
        <button type="button" onClick={draw}>
          Try again
        </button>
      )}
    </div>
  );
}

const card = document.createElement('div');

function draw(): void {
  void drawMap((shown) => {
    const onClose = () => map.value?.closeCard();
    render(shown && <PinCard {...shown} onClose={onClose} />, card);
    return card;
  });
}
