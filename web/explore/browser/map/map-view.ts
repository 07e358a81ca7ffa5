/**
 * The map: stores as pins, the place that is searched around, and what the user does with them. It shows
 * Europe, until it is told what else.
 */
import type { Feature } from 'geojson';
import {
  type GeoJSONSource,
  Map as MapLibreMap,
  type MapMouseEvent,
  NavigationControl,
  Popup,
  ScaleControl,
  setWorkerUrl,
} from 'maplibre-gl';
import type { Area } from '../../../../client/src/query.ts';
import { find } from '../dom.ts';
import { boxAround, isInside } from '../model/area.ts';
import type { FoundStore, Point } from '../model/found-store.ts';
import { type Place, roundDegrees, type MapView as View } from '../model/state.ts';
import { sheetHeight } from '../sheet.ts';
import { serveBasemap } from './basemap.ts';
import { circleAround, circleFeatures, pinOf } from './map-features.ts';
import { type Palette, paletteOf } from './map-palette.ts';
import { FARTHEST_ZOOM, mapStyle } from './map-style.ts';
import { addPins } from './pins.ts';
import { STORE_LAYERS } from './store-layers.ts';

/** Beyond this the land has no more detail. */
const CLOSEST_ZOOM = 13;

/** Tiles are enlarged at every zoom that they do not reach, and not cut again by MapLibre. */
const ALL_ZOOMS = 24;

/** How near the map goes to show a store. */
const STORE_ZOOM = 12;

/** Pixels left free around what is to be seen. */
const FREE = 56;

/** Pixels around a press in which marks are found: fingers miss small ones. */
const REACH = 4;

/** Stores of a cluster by which its bounds are found: those of any. */
const MOST_LEAVES = 100_000;

const { worker = '', tiles = '' } = find('explore').dataset;
setWorkerUrl(worker);
serveBasemap(tiles);

const night = matchMedia('(prefers-color-scheme: dark)');
/** Empty where the reader has chosen none. */
const { theme } = document.documentElement.dataset;
const container = find('map');
const label = new Popup({ closeButton: false, closeOnClick: false, offset: 40 });
const map = new MapLibreMap({
  container,
  style: mapStyle(palette()),
  center: [9, 49],
  zoom: 3.4,
  minZoom: FARTHEST_ZOOM,
  maxZoom: CLOSEST_ZOOM,
  attributionControl: false,
  dragRotate: false,
  fadeDuration: 0,
  zoomLevelsToOverscale: ALL_ZOOMS,
  locale: { 'Map.Title': 'Map of the stores' },
});
map.touchZoomRotate.disableRotation();
map.keyboard.disableRotation();
// They lie beside the map, where they cover neither names nor stores.
for (const control of [new ScaleControl(), new NavigationControl({ showCompass: false })]) {
  find('map-tools').append(control.onAdd(map));
}
// Style and tiles are there, and the first picture of them.
map.once('load', () => {
  container.dataset.drawn = '';
});
night.onchange = repaint;
await map.once('style.load');
addPins(map, palette());

/**
 * @param onStore told of the store that is pressed
 * @param onHover told of the store that the pointer is on
 */
export function listen(
  onMoved: (view: View, isByHand: boolean) => void,
  onStore: (id: string) => void,
  onHover: (id: string | null) => void,
): void {
  map.on('moveend', ({ originalEvent }) => onMoved(view(), originalEvent !== undefined));
  map.on('click', (event) => {
    const mark = markAt(event);
    if (mark?.properties.cluster) void openCluster(mark);
    else if (mark) onStore(mark.properties.id);
  });
  map.on('mousemove', (event) => {
    // Looking for marks takes longer than drawing them, and no pointer rests on a mark while the map moves.
    if (map.isMoving()) return;
    const mark = markAt(event);
    map.getCanvas().style.cursor = mark ? 'pointer' : '';
    onHover(mark?.properties.id ?? null);
  });
  map.on('mouseout', () => onHover(null));
}

/** Shows stores; those without a point have no pin. */
export function showStores(stores: readonly FoundStore[]): void {
  setData('stores', stores.flatMap(pinOf));
}

/** Draws the circle that is searched, and dims what lies outside. */
export function showPlace(place: Place | null): void {
  setData('search', place ? circleFeatures(place) : []);
}

/** Lifts the pin of a store out of the others, with its name while the pointer is there. */
export function showPin(role: 'hovered' | 'selected', pin: FoundStore | null): void {
  setData(role, pin ? pinOf(pin) : []);
  if (role === 'selected') return;
  if (pin?.point) label.setLngLat(pin.point).setText(pin.name).addTo(map);
  else label.remove();
}

export function showView({ zoom, latitude, longitude }: View): void {
  map.jumpTo({ center: [longitude, latitude], zoom });
}

/** Goes to a point, no further away than it takes to tell it from its neighbours. */
export function goTo(center: Point): void {
  const zoom = Math.max(map.getZoom(), STORE_ZOOM);
  map.easeTo({ center, zoom, offset: [0, -sheetHeight() / 2] });
}

/** Shows all of an area, as near as that goes. */
export function fitArea([west, south, east, north]: Area): void {
  const { clientHeight, clientWidth } = map.getCanvas();
  const bottom = Math.min(sheetHeight() + 20, clientHeight / 1.6);
  const free = Math.min(FREE, clientWidth / 8);
  map.fitBounds([west, south, east, north], {
    padding: { top: FREE, left: free, right: free, bottom: Math.max(free, bottom) },
    maxZoom: STORE_ZOOM,
    animate: false,
  });
}

/** Shows the circle that is searched. */
export function fitPlace(place: Place): void {
  fitArea(boxAround(circleAround(place).map(([lng, lat]) => ({ lat, lng }))));
}

export function zoomOut(): void {
  map.easeTo({ zoom: map.getZoom() - 2 });
}

export function view(): View {
  const { lat, lng } = map.getCenter().wrap();
  return {
    zoom: Math.round(map.getZoom() * 100) / 100,
    latitude: roundDegrees(lat),
    longitude: roundDegrees(lng),
  };
}

/** What is seen of the map; longitudes may go on beyond 180. */
export function visibleArea(): Area {
  const { clientWidth, clientHeight } = map.getCanvas();
  const southWest = map.unproject([0, clientHeight - sheetHeight()]);
  const northEast = map.unproject([clientWidth, 0]);
  return [...southWest.toArray(), ...northEast.toArray()].map(roundDegrees) as unknown as Area;
}

export const isSeen = (point: Point): boolean => isInside(visibleArea(), point);

function setData(name: string, features: Feature[]): void {
  void map.getSource<GeoJSONSource>(name)?.setData({ type: 'FeatureCollection', features });
}

function markAt({ point: { x, y } }: MapMouseEvent) {
  return map.queryRenderedFeatures(
    [
      [x - REACH, y - REACH],
      [x + REACH, y + REACH],
    ],
    { layers: STORE_LAYERS },
  )[0];
}

/** Goes where all stores of a cluster are seen. */
async function openCluster({ properties }: Feature): Promise<void> {
  const source = map.getSource<GeoJSONSource>('stores');
  const leaves = await source?.getClusterLeaves(properties?.cluster_id, MOST_LEAVES, 0);
  const points = leaves?.flatMap(({ geometry }) => {
    const [lng = 0, lat = 0] = geometry.type === 'Point' ? geometry.coordinates : [];
    return { lat, lng };
  });
  fitArea(boxAround(points ?? []));
}

function palette(): Palette {
  return paletteOf(theme ? theme === 'dark' : night.matches);
}

/** Day and night differ by paint and pictures alone, so that data stays where it is. */
function repaint(): void {
  addPins(map, palette());
  for (const { id, paint } of mapStyle(palette()).layers) {
    for (const [name, value] of Object.entries(paint ?? {})) {
      map.setPaintProperty(id, name as never, value as never);
    }
  }
}
