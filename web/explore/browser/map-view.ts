/** The map: stores as marks, what is searched, and what the user does with them. */
import type { Feature, GeoJSON, Point as GeoPoint } from 'geojson';
import {
  GeoJSONSource,
  LngLatBounds,
  Map as MapLibreMap,
  type MapMouseEvent,
  NavigationControl,
  Popup,
  ScaleControl,
  setWorkerUrl,
} from 'maplibre-gl';
import { serveBasemap } from './basemap.ts';
import { collection, lineFeature, pointFeature, polygonFeature } from './features.ts';
import type { FoundStore, Point } from './found-store.ts';
import { circleAround, easternmost } from './geodesy.ts';
import { DAY, NIGHT } from './map-palette.ts';
import { FARTHEST_ZOOM, mapStyle } from './map-style.ts';
import { roundDegrees, type SearchPosition, type MapView as View, wrapLongitude } from './state.ts';
import { type MarkProperties, STORE_LAYERS } from './store-layers.ts';

/** Beyond this the land has no more detail. */
const CLOSEST_ZOOM = 13;

/** Tiles are enlarged at every zoom that they do not reach, and not cut again by MapLibre. */
const ALL_ZOOMS = 24;

/** How near the map goes to show a store. */
const STORE_ZOOM = 11;

/** Pixels around a click in which a mark is meant. */
const REACH = 6;

/** Pixels; a circle that is smaller cannot be seen, let alone pulled. */
const SMALLEST_CIRCLE = 24;

const EUROPE: View = { zoom: 3.4, latitude: 49, longitude: 9 };

export interface MapEvents {
  readonly onMoved: (view: View) => void;
  /** A place without a mark. */
  readonly onPick: (point: Point) => void;
  /** A mark, by the number of its store in what was shown last. */
  readonly onStore: (row: number) => void;
  readonly onHover: (row: number | null) => void;
}

export interface MapFiles {
  readonly worker: string;
  /** The list of tiles. */
  readonly tiles: string;
}

/** Whether this browser can draw the map at all. */
export function canDrawMap(): boolean {
  return document.createElement('canvas').getContext('webgl2') !== null;
}

export class MapView {
  readonly map: MapLibreMap;
  private readonly label = new Popup({ closeButton: false, closeOnClick: false, offset: 10 });
  private readonly ready: Promise<void>;
  /** Data that waits for the style, by its source: only the last of each counts. */
  private readonly latest = new Map<string, GeoJSON>();

  /** Shows Europe, until it is told what else. */
  constructor(container: HTMLElement, files: MapFiles, events: MapEvents) {
    setWorkerUrl(files.worker);
    serveBasemap(files.tiles);
    const night = matchMedia('(prefers-color-scheme: dark)');
    this.map = new MapLibreMap({
      container,
      style: mapStyle(night.matches ? NIGHT : DAY),
      center: [EUROPE.longitude, EUROPE.latitude],
      zoom: EUROPE.zoom,
      minZoom: FARTHEST_ZOOM,
      maxZoom: CLOSEST_ZOOM,
      attributionControl: false,
      dragRotate: false,
      pitchWithRotate: false,
      fadeDuration: 0,
      zoomLevelsToOverscale: ALL_ZOOMS,
      locale: { 'Map.Title': 'Map of the stores' },
    });
    this.map.touchZoomRotate.disableRotation();
    this.map.keyboard.disableRotation();
    this.map.addControl(new NavigationControl({ showCompass: false }), 'top-right');
    this.map.addControl(new ScaleControl(), 'bottom-left');
    this.ready = new Promise((resolve) => this.map.once('style.load', () => resolve()));
    // Style and tiles are there, and the first picture of them.
    this.map.once('load', () => {
      container.dataset.drawn = '';
    });
    night.addEventListener('change', () => this.repaint(night.matches));
    this.listen(events);
  }

  /** Shows stores, each with what its mark stands for; those without a point have no mark. */
  showStores(stores: readonly FoundStore[], kindOf: (store: FoundStore) => string): void {
    const features: Feature<GeoPoint, MarkProperties>[] = [];
    const moves: Feature[] = [];
    stores.forEach((store, row) => {
      const { point, movedFrom } = store;
      if (!point) return;
      features.push(pointFeature(point, { row, kind: kindOf(store) }));
      if (movedFrom) moves.push(lineFeature(movedFrom, point));
    });
    this.setData('stores', { type: 'FeatureCollection', features });
    this.setData('moves', { type: 'FeatureCollection', features: moves });
  }

  showSearch(position: SearchPosition | null): void {
    const ring = position && circleAround(position);
    this.setData('search', ring ? polygonFeature(ring) : collection([]));
  }

  showPoint(role: 'hovered' | 'selected', point: Point | null): void {
    this.setData(role, collection(point ? [pointFeature(point, {})] : []));
  }

  showView({ zoom, latitude, longitude }: View): void {
    this.map.jumpTo({ center: [longitude, latitude], zoom });
  }

  /** Goes to a point, no further away than it takes to tell it from its neighbours. */
  goTo({ lat, lng }: Point): void {
    const zoom = Math.max(this.map.getZoom(), STORE_ZOOM);
    this.map.easeTo({ center: [lng, lat], zoom });
  }

  /** Shows all of these at once. */
  fit(points: Iterable<Point>): void {
    const box = new LngLatBounds();
    for (const { lat, lng } of points) box.extend([lng, lat]);
    if (!box.isEmpty())
      this.map.fitBounds(box, { padding: 48, maxZoom: STORE_ZOOM, animate: false });
  }

  /** Shows the circle that is searched, unless it can be seen well enough. */
  fitSearch(position: SearchPosition): void {
    const centre = this.map.project([position.longitude, position.latitude]);
    const pixels = this.map.project(easternmost(position)).x - centre.x;
    const { width, height } = this.map.getCanvas().getBoundingClientRect();
    const isInside = centre.x > 0 && centre.y > 0 && centre.x < width && centre.y < height;
    if (isInside && pixels > SMALLEST_CIRCLE && pixels < Math.min(width, height) / 2) return;
    if (position.radius === 0) this.goTo({ lat: position.latitude, lng: position.longitude });
    else this.fit(circleAround(position).map(([lng, lat]) => ({ lat, lng })));
  }

  /** The name of a store beside its mark, while the pointer is there. */
  showName(store: FoundStore | null): void {
    if (!store?.point) this.label.remove();
    else
      this.label.setLngLat([store.point.lng, store.point.lat]).setText(store.name).addTo(this.map);
  }

  middle(): Point {
    const { lat, lng } = this.map.getCenter();
    return { lat: roundDegrees(lat), lng: wrapLongitude(lng) };
  }

  /** Tells of a point whether the map shows it now. */
  contains(): (point: Point) => boolean {
    const bounds = this.map.getBounds();
    return (point) => isWithin(bounds, point);
  }

  private listen({ onMoved, onPick, onStore, onHover }: MapEvents): void {
    const { map } = this;
    map.on('moveend', () => onMoved(this.view()));
    map.on('click', (event) => {
      const mark = this.markAt(event);
      if (!mark)
        onPick({ lat: roundDegrees(event.lngLat.lat), lng: wrapLongitude(event.lngLat.lng) });
      else if (mark.properties.cluster) void this.openCluster(mark);
      else onStore(mark.properties.row);
    });
    map.on('mousemove', (event) => {
      // Looking for marks takes longer than drawing them, and no pointer rests on a mark while the map moves.
      if (map.isMoving()) return;
      const mark = this.markAt(event);
      map.getCanvas().style.cursor = mark ? 'pointer' : 'crosshair';
      onHover(mark && !mark.properties.cluster ? mark.properties.row : null);
    });
    map.on('mouseout', () => onHover(null));
  }

  private view(): View {
    const { lat, lng } = this.middle();
    return { zoom: Math.round(this.map.getZoom() * 100) / 100, latitude: lat, longitude: lng };
  }

  private markAt({ point: { x, y } }: MapMouseEvent) {
    if (!this.map.getLayer(STORE_LAYERS[0] ?? '')) return undefined;
    const [mark] = this.map.queryRenderedFeatures(
      [
        [x - REACH, y - REACH],
        [x + REACH, y + REACH],
      ],
      { layers: STORE_LAYERS },
    );
    return mark;
  }

  /** Goes as near as it takes for a cluster to fall apart. */
  private async openCluster({ properties, geometry }: Feature): Promise<void> {
    const source = this.map.getSource('stores');
    if (!(source instanceof GeoJSONSource) || geometry.type !== 'Point') return;
    const zoom = await source.getClusterExpansionZoom(properties?.cluster_id);
    this.map.easeTo({ center: geometry.coordinates as [number, number], zoom: zoom + 0.3 });
  }

  private setData(name: string, data: GeoJSON): void {
    const waits = this.latest.has(name);
    this.latest.set(name, data);
    if (waits) return;
    void this.ready.then(() => {
      const newest = this.latest.get(name);
      this.latest.delete(name);
      const source = this.map.getSource(name);
      if (newest && source instanceof GeoJSONSource) source.setData(newest);
    });
  }

  /** Day and night differ by paint alone, so that data stays where it is. */
  private repaint(isNight: boolean): void {
    for (const { id, paint } of mapStyle(isNight ? NIGHT : DAY).layers) {
      for (const [name, value] of Object.entries(paint ?? {})) {
        this.map.setPaintProperty(id, name as never, value as never);
      }
    }
  }
}

/** Bounds may lie in another turn of the globe than the point. */
function isWithin(bounds: LngLatBounds, { lat, lng }: Point): boolean {
  const { _sw: southWest, _ne: northEast } = bounds;
  if (lat < southWest.lat || lat > northEast.lat) return false;
  const turns = Math.ceil((southWest.lng - lng) / 360);
  return lng + turns * 360 <= northEast.lng;
}
