import { render } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { drawMap, map, mapNotice } from '../map/drawn-map.ts';
import type { DrawCard } from '../map/pin-cards.ts';
import { isMoved, lookFor, state } from '../model/current.ts';
import { Away } from './Away.tsx';
import { PinCard } from './PinCard.tsx';

/** Shows the map, what is to be said of it, and below it, where nothing is covered, its legend and tools. */
export function MapStage() {
  const container = useRef<HTMLDivElement>(null);
  const tools = useRef<HTMLDivElement>(null);
  const draw = () => {
    if (!container.current || !tools.current) return;
    void drawMap({ container: container.current, tools: tools.current, drawCard: cardDrawer() });
  };
  useEffect(() => {
    draw();
    return () => map.value?.remove();
  }, []);
  return (
    <>
      <div id="map" ref={container} />
      <div id="over-map">
        <SearchArea />
      </div>
      <Notice onRetry={draw} />
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
        <div id="map-tools" ref={tools} />
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

function Notice({ onRetry }: { readonly onRetry: () => void }) {
  const notice = mapNotice.value;
  return (
    <div id="map-notice" role="status">
      {notice && <p>{notice.text}</p>}
      {notice?.mayRetry && (
        <button type="button" onClick={onRetry}>
          Try again
        </button>
      )}
    </div>
  );
}

/** Draws cards in an element of the map's own. */
function cardDrawer(): DrawCard {
  const element = document.createElement('div');
  return (card) => {
    const onClose = () => map.value?.closeCard();
    render(card && <PinCard {...card} onClose={onClose} />, element);
    return element;
  };
}
