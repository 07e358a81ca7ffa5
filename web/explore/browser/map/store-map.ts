/** The map: stores as pins, the place that is searched around, and what the user does with them. */
import type { Feature } from 'geojson';
import {
  type GeoJSONSource,
  type MapGeoJSONFeature,
  Map as MapLibreMap,
  NavigationControl,
  ScaleControl,
  type StyleSpecification,
  setWorkerUrl,
} from 'maplibre-gl';
import type { Area } from '../../../../client/src/query.ts';
import { find } from '../dom.ts';
import { boxAround, isInside } from '../model/area.ts';
import { act, hovered, inOrder } from '../model/current.ts';
import type { FoundStore, Point } from '../model/found.ts';
import { type Place, roundDegrees, type MapView as View } from '../model/state.ts';
import { countHere } from '../model/words.ts';
import { sheetHeight } from '../sheet.ts';
import { serveBasemap } from './basemap.ts';
import { circleFeature, pinsOf, pointFeature, pointOf } from './features.ts';
import { drawPicture, type Palette, RATIO } from './pictures.ts';
import { PinCards } from './pin-cards.tsx';
import STYLE from './style.json' with { type: 'json' };
import { MAX_ZOOM, MIN_ZOOM, STORE_ZOOM } from './zooms.ts';

/** What takes the place of the style's `state` by night. */
const NIGHT: Palette = STYLE.metadata.night;

/** Layers whose marks can be pressed. */
const STORE_LAYERS = ['store-clusters', 'store-points'];

/** The closest zooms, at which tiles are enlarged; before them MapLibre cuts tiles finer than they come. */
const ENLARGED_ZOOMS = 5;

/** Pixels left free around what is to be seen. */
const FREE = 56;

/** Pixels around a press in which marks are found: fingers miss small ones. */
const REACH = 4;

/** The same around the middle of the map, where a key looks for them. */
const KEY_REACH = 24;

interface MapParts {
  /** Address of MapLibre's worker. */
  readonly worker: string;
  /** Address of the list of tiles. */
  readonly tiles: string;
  /** Called when the map has come to rest; `isByHand`: where the user has moved it, not the page. */
  readonly onMoved: (view: View, isByHand: boolean) => void;
  /** Called once style and tiles are there, and the first picture of them. */
  readonly onDrawn: () => void;
  /** Called when tiles cannot be loaded. */
  readonly onFault: () => void;
  /** Ends the map, so that another one can be drawn there. */
  readonly signal: AbortSignal;
}

/** A map, which shows Europe at first. */
export class StoreMap {
  readonly #map: MapLibreMap;
  readonly #tools = find('map-tools');
  readonly #cards: PinCards;
  readonly #night = matchMedia('(prefers-color-scheme: dark)');
  /** What the pointer is on: the id of a store, or the number of a cluster. */
  #under: string | number | null = null;

  /** Draws a map. @throws Error when the browser cannot */
  static async draw(parts: MapParts): Promise<StoreMap> {
    setWorkerUrl(parts.worker);
    serveBasemap(parts.tiles);
    const drawn = new StoreMap(parts);
    await drawn.#map.once('style.load');
    return drawn;
  }

  private constructor(parts: MapParts) {
    this.#map = new MapLibreMap({
      container: 'map',
      style: STYLE as StyleSpecification,
      globalState: this.#isDark() ? NIGHT : {},
      center: [9, 49],
      zoom: 3.4,
      minZoom: MIN_ZOOM,
      maxZoom: MAX_ZOOM,
      maxPitch: 0,
      attributionControl: false,
      dragRotate: false,
      fadeDuration: 0,
      zoomLevelsToOverscale: ENLARGED_ZOOMS,
      locale: { 'Map.Title': 'Map of the stores: Enter opens what is in its middle' },
    });
    this.#map.touchZoomRotate.disableRotation();
    this.#map.keyboard.disableRotation();
    for (const control of [new ScaleControl(), new NavigationControl({ showCompass: false })]) {
      // Beside the map they cover neither names nor stores.
      this.#tools.append(control.onAdd(this.#map));
    }
    this.#map.setMissingStyleImageResolver((name) => {
      this.#map.addImage(name, this.#draw(name), { pixelRatio: RATIO });
    });
    this.#cards = new PinCards(this.#map);
    this.#listen(parts);
  }

  /** Shows stores; those without a point have no pin. */
  showStores(stores: readonly FoundStore[]): void {
    this.#setData('stores', pinsOf(stores));
  }

  /** Draws the edge of the circle that is searched. */
  showPlace(place: Place | null): void {
    this.#setData('search', place ? [circleFeature(place)] : []);
  }

  /** Lifts the pin of a store out of the others, with its name, or its card. */
  showPin(role: 'hovered' | 'selected', store: FoundStore | null): void {
    const stores = store ? [store] : [];
    this.#setData(role, pinsOf(stores));
    if (role === 'hovered') this.#cards.name(store?.name, store?.point);
    else this.#cards.open(stores);
  }

  /** Shows the rental points of the chosen store. */
  showRentalPoints(points: readonly Point[]): void {
    this.#setData('rentalPoints', points.map(pointFeature));
  }

  showView({ zoom, latitude, longitude }: View): void {
    this.#map.jumpTo({ center: [longitude, latitude], zoom });
  }

  /** Goes to a point, near enough to see it apart from its neighbours. */
  goTo(center: Point): void {
    const zoom = Math.max(this.#map.getZoom(), STORE_ZOOM);
    this.#map.easeTo({ center, zoom, offset: [0, -sheetHeight() / 2] });
  }

  /** Shows all of an area, as near as that goes between two zooms. */
  fitArea([west, south, east, north]: Area, minZoom = MIN_ZOOM, maxZoom = STORE_ZOOM): void {
    const { clientHeight, clientWidth } = this.#map.getCanvas();
    const bottom = Math.min(sheetHeight() + 20, clientHeight / 1.6);
    const free = Math.min(FREE, clientWidth / 8);
    const padding = { top: FREE, left: free, right: free, bottom: Math.max(free, bottom) };
    const camera = this.#map.cameraForBounds([west, south, east, north], { padding, maxZoom });
    if (camera) this.#map.jumpTo({ ...camera, zoom: Math.max(camera.zoom ?? 0, minZoom) });
  }

  view(): View {
    const { lat, lng } = this.#map.getCenter().wrap();
    return {
      zoom: Math.round(this.#map.getZoom() * 100) / 100,
      latitude: roundDegrees(lat),
      longitude: roundDegrees(lng),
    };
  }

  /** Returns the area of the map that nothing covers; longitudes may go on beyond 180. */
  visibleArea(): Area {
    const { clientWidth, clientHeight } = this.#map.getCanvas();
    const southWest = this.#map.unproject([0, clientHeight - sheetHeight()]);
    const northEast = this.#map.unproject([clientWidth, 0]);
    const edges = [...southWest.toArray(), ...northEast.toArray()];
    return edges.map(roundDegrees) as unknown as Area;
  }

  isSeen(point: Point): boolean {
    return isInside(this.visibleArea(), point);
  }

  /** Listens to the map, the keyboard, and the light of the system. */
  #listen({ onMoved, onDrawn, onFault, signal }: MapParts): void {
    const map = this.#map;
    signal.addEventListener('abort', () => {
      map.remove();
      this.#tools.replaceChildren();
    });
    map.once('load', onDrawn);
    map.on('error', onFault);
    map.on('moveend', ({ originalEvent }) => onMoved(this.view(), originalEvent !== undefined));
    map.on('click', ({ point }) => this.#openMark(this.#markAt(point, REACH)));
    map.on('mousemove', ({ point }) => {
      // Looking for marks takes longer than drawing them, and no pointer rests on a mark while the map moves.
      if (!map.isMoving()) this.#nameMark(this.#markAt(point, REACH));
    });
    map.on('mouseout', () => this.#nameMark(undefined));
    const canvas = map.getCanvas();
    const middle = () => (canvas.clientHeight - sheetHeight()) / 2;
    // Where a style shows what Enter would open.
    canvas.onfocus = () => map.getContainer().style.setProperty('--middle', `${middle()}px`);
    canvas.onkeydown = ({ key }) => {
      if (key === 'Escape') this.#cards.open([]);
      if (key !== 'Enter') return;
      this.#openMark(this.#markAt({ x: canvas.clientWidth / 2, y: middle() }, KEY_REACH));
    };
    this.#night.addEventListener('change', () => this.#repaint(), { signal });
  }

  /** Opens the store of a mark, or its cluster; where there is no mark, closes the card. */
  #openMark(mark: MapGeoJSONFeature | undefined): void {
    const { id, cluster } = mark?.properties ?? {};
    if (mark && cluster) void this.#openCluster(mark);
    else if (mark) act({ store: id });
    else this.#cards.open([]);
  }

  /** Goes to the zoom at which the stores of a cluster are separate, or lists them if there is none. */
  async #openCluster(mark: MapGeoJSONFeature): Promise<void> {
    const source = this.#map.getSource<GeoJSONSource>('stores');
    const { cluster_id, point_count } = mark.properties;
    const zoom = (await source?.getClusterExpansionZoom(cluster_id)) ?? 0;
    const leaves = (await source?.getClusterLeaves(cluster_id, point_count, 0)) ?? [];
    if (zoom <= MAX_ZOOM) {
      this.fitArea(boxAround(leaves.map(pointOf)), zoom, MAX_ZOOM);
      return;
    }
    const ids = new Set(leaves.map(({ properties }) => properties?.id));
    const stores = inOrder.value.filter(({ id }) => ids.has(id));
    this.#cards.open(stores, pointOf(mark));
  }

  /** Names what the pointer has come to. */
  #nameMark(mark: MapGeoJSONFeature | undefined): void {
    const { id = null, cluster_id = null, point_count } = mark?.properties ?? {};
    this.#map.getCanvas().style.cursor = mark ? 'pointer' : '';
    const under = id ?? cluster_id;
    if (under === this.#under) return;
    this.#under = under;
    // A store is named as it is for rows.
    hovered.value = id;
    if (id === null) this.#cards.name(mark && countHere(point_count), mark && pointOf(mark));
  }

  #markAt({ x, y }: { x: number; y: number }, reach: number): MapGeoJSONFeature | undefined {
    return this.#map.queryRenderedFeatures(
      [
        [x - reach, y - reach],
        [x + reach, y + reach],
      ],
      { layers: STORE_LAYERS },
    )[0];
  }

  #setData(name: string, features: Feature[]): void {
    const source = this.#map.getSource<GeoJSONSource>(name);
    void source?.setData({ type: 'FeatureCollection', features });
  }

  #isDark(): boolean {
    // Empty where the reader has chosen none.
    const { theme } = document.documentElement.dataset;
    return theme ? theme === 'dark' : this.#night.matches;
  }

  #draw(name: string): ImageData {
    return drawPicture(name, this.#map.getGlobalState() as Palette);
  }

  /** Changes between day and night: they differ by colours alone, so that data stays. */
  #repaint(): void {
    const isDark = this.#isDark();
    for (const [name, colour] of Object.entries(NIGHT)) {
      // Null brings back what the style has by day.
      this.#map.setGlobalStateProperty(name, isDark ? colour : null);
    }
    for (const name of this.#map.listImages()) this.#map.updateImage(name, this.#draw(name));
  }
}
