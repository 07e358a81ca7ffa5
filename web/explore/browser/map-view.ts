/** The map: stores as pins, the place that is searched around, and what the user does with them. */
import type { Feature } from 'geojson';
import {
  GeoJSONSource,
  Map as MapLibreMap,
  type MapMouseEvent,
  NavigationControl,
  Popup,
  ScaleControl,
  setWorkerUrl,
} from 'maplibre-gl';
import type { Area } from '../../../client/src/query.ts';
import { DistanceFrom } from '../../../src/query/great-circle.ts';
import { boxAround, isInside } from './area.ts';
import { serveBasemap } from './basemap.ts';
import { circleAround } from './circle.ts';
import type { FoundStore, Point } from './found-store.ts';
import { MapData } from './map-data.ts';
import { DAY, NIGHT } from './map-palette.ts';
import { FARTHEST_ZOOM, mapStyle } from './map-style.ts';
import { addPins } from './pins.ts';
import { type Place, roundDegrees, type MapView as View, wrapLongitude } from './state.ts';
import { STORE_LAYERS } from './store-layers.ts';

/** Beyond this the land has no more detail. */
const CLOSEST_ZOOM = 13;

/** Tiles are enlarged at every zoom that they do not reach, and not cut again by MapLibre. */
const ALL_ZOOMS = 24;

/** How near the map goes to show a store. */
const STORE_ZOOM = 12;

/** Pixels around a click in which a mark is meant. */
const REACH = 4;

/** Pixels left free around what is to be seen. */
const FREE = 56;

const EUROPE: View = { zoom: 3.4, latitude: 49, longitude: 9 };

/** Stores of a cluster by which its bounds are found: those of any. */
const MOST_LEAVES = 100_000;

export interface MapEvents {
  readonly onMoved: (view: View) => void;
  readonly onStore: (id: string) => void;
  readonly onHover: (id: string | null) => void;
  /** Pixels that something lies over the lower edge of the map. */
  readonly covered: () => number;
}

export interface MapFiles {
  readonly worker: string;
  /** The list of tiles. */
  readonly tiles: string;
}

export class MapView {
  private readonly map: MapLibreMap;
  private readonly events: MapEvents;
  private readonly label = new Popup({ closeButton: false, closeOnClick: false, offset: 40 });
  readonly data: MapData;

  /** Shows Europe, until it is told what else. */
  constructor(container: HTMLElement, files: MapFiles, events: MapEvents) {
    this.events = events;
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
    this.map.addControl(new ScaleControl(), 'bottom-right');
    const ready = new Promise<void>((resolve) =>
      this.map.once('style.load', () => {
        addPins(this.map, night.matches ? NIGHT : DAY);
        resolve();
      }),
    );
    this.data = new MapData(this.map, ready);
    // Style and tiles are there, and the first picture of them.
    this.map.once('load', () => {
      container.dataset.drawn = '';
    });
    night.addEventListener('change', () => this.repaint(night.matches));
    this.listen();
  }

  showView({ zoom, latitude, longitude }: View): void {
    this.map.jumpTo({ center: [longitude, latitude], zoom });
  }

  /** Goes to a point, no further away than it takes to tell it from its neighbours. */
  goTo({ lat, lng }: Point): void {
    const zoom = Math.max(this.map.getZoom(), STORE_ZOOM);
    const offset: [number, number] = [0, -this.events.covered() / 2];
    this.map.easeTo({ center: [lng, lat], zoom, offset });
  }

  /** Shows all of an area, as near as that goes. */
  fit([west, south, east, north]: Area): void {
    const bottom = Math.min(this.events.covered() + 20, this.map.getCanvas().clientHeight / 1.6);
    const free = Math.min(FREE, this.map.getCanvas().clientWidth / 8);
    this.map.fitBounds(
      [
        [west, south],
        [east, north],
      ],
      {
        padding: { top: FREE, left: free, right: free, bottom: Math.max(free, bottom) },
        maxZoom: STORE_ZOOM,
        animate: false,
      },
    );
  }

  /** Shows the circle that is searched. */
  fitPlace(place: Place): void {
    this.fit(boxAround(circleAround(place).map(([lng, lat]) => ({ lat, lng }))));
  }

  zoomOut(): void {
    this.map.easeTo({ zoom: this.map.getZoom() - 2 });
  }

  /** The name of a store beside its pin, while the pointer is there. */
  showName(store: FoundStore | null): void {
    if (!store?.point) this.label.remove();
    else
      this.label.setLngLat([store.point.lng, store.point.lat]).setText(store.name).addTo(this.map);
  }

  middle(): Point {
    const { lat, lng } = this.map.getCenter();
    return { lat: roundDegrees(lat), lng: wrapLongitude(lng) };
  }

  /** What the map shows now; longitudes may go on beyond 180. */
  area(): Area {
    const bounds = this.map.getBounds();
    const [west, south] = [bounds.getWest(), bounds.getSouth()];
    return [west, south, bounds.getEast(), bounds.getNorth()].map(roundDegrees) as unknown as Area;
  }

  isSeen(point: Point): boolean {
    return isInside(this.area(), point);
  }

  /** Whether it shows neither a place nor the circle around it any more. */
  hasLeft({ latitude, longitude, radius }: Place): boolean {
    const { lat, lng } = this.middle();
    const distance = new DistanceFrom(latitude, longitude).to(lat, lng);
    return distance > radius && !this.isSeen({ lat: latitude, lng: longitude });
  }

  private listen(): void {
    const { map } = this;
    const { onMoved, onStore, onHover } = this.events;
    map.on('moveend', () => onMoved(this.view()));
    map.on('click', (event) => {
      const mark = this.markAt(event);
      if (mark?.properties.cluster) void this.openCluster(mark);
      else if (mark) onStore(mark.properties.id);
    });
    map.on('mousemove', (event) => {
      // Looking for marks takes longer than drawing them, and no pointer rests on a mark while the map moves.
      if (map.isMoving()) return;
      const mark = this.markAt(event);
      map.getCanvas().style.cursor = mark ? 'pointer' : '';
      onHover(mark && !mark.properties.cluster ? mark.properties.id : null);
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

  /** Goes where all stores of a cluster are seen. */
  private async openCluster({ properties }: Feature): Promise<void> {
    const source = this.map.getSource('stores');
    if (!(source instanceof GeoJSONSource)) return;
    const leaves = await source.getClusterLeaves(properties?.cluster_id, MOST_LEAVES, 0);
    const points = leaves.flatMap(({ geometry }) => {
      const [lng = 0, lat = 0] = geometry.type === 'Point' ? geometry.coordinates : [];
      return { lat, lng };
    });
    this.fit(boxAround(points));
  }

  /** Day and night differ by paint and pictures alone, so that data stays where it is. */
  private repaint(isNight: boolean): void {
    const palette = isNight ? NIGHT : DAY;
    addPins(this.map, palette);
    for (const { id, paint } of mapStyle(palette).layers) {
      for (const [name, value] of Object.entries(paint ?? {})) {
        this.map.setPaintProperty(id, name as never, value as never);
      }
    }
  }
}
