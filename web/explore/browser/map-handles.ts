/** The middle of the search, which can be dragged, and the handle that pulls its radius. */
import { type Map as MapLibreMap, Marker } from 'maplibre-gl';
import { make } from './dom.ts';
import { easternmost, kilometresBetween } from './geodesy.ts';
import {
  clampRadius,
  LARGEST_RADIUS,
  roundDegrees,
  type SearchPosition,
  wrapLongitude,
} from './state.ts';

/** Kilometres by which a key changes the radius. */
const STEPS: Readonly<Record<string, number>> = {
  ArrowUp: 1,
  ArrowRight: 1,
  ArrowDown: -1,
  ArrowLeft: -1,
  PageUp: 10,
  PageDown: -10,
};

export interface MapHandleEvents {
  /** While it is dragged. */
  readonly onDrag: (position: SearchPosition) => void;
  readonly onDrop: (position: SearchPosition) => void;
}

export class MapHandles {
  private readonly map: MapLibreMap;
  private readonly events: MapHandleEvents;
  private readonly centre: Marker;
  private readonly edge: Marker;
  private position: SearchPosition | null = null;
  private isShown = false;

  constructor(map: MapLibreMap, events: MapHandleEvents) {
    this.map = map;
    this.events = events;
    const middle = make('div', { className: 'centre-handle', title: 'Drag to search elsewhere' });
    const slider = make('div', { className: 'radius-handle', title: 'Drag to change the radius' });
    this.centre = new Marker({ element: middle, draggable: true });
    this.edge = new Marker({ element: slider, draggable: true });
    middle.setAttribute('role', 'img');
    middle.setAttribute('aria-label', 'Middle of the search');
    middle.tabIndex = -1;
    slider.setAttribute('role', 'slider');
    slider.setAttribute('aria-label', 'Radius of the search in kilometres');
    slider.setAttribute('aria-valuemin', '0');
    slider.setAttribute('aria-valuemax', String(LARGEST_RADIUS));
    slider.tabIndex = 0;
    slider.addEventListener('keydown', (event) => this.pressKey(event));
    this.centre.on('drag', () => this.events.onDrag(this.read(false)));
    this.centre.on('dragend', () => this.events.onDrop(this.read(false)));
    this.edge.on('drag', () => this.events.onDrag(this.read(true)));
    this.edge.on('dragend', () => this.events.onDrop(this.read(true)));
    for (const element of [middle, slider]) {
      // A click on a handle is none on the map.
      element.addEventListener('click', (event) => event.stopPropagation());
    }
  }

  show(position: SearchPosition | null): void {
    this.position = position;
    if (!position) {
      this.centre.remove();
      this.edge.remove();
      this.isShown = false;
      return;
    }
    this.centre.setLngLat([position.longitude, position.latitude]);
    this.edge.setLngLat(easternmost(position));
    const slider = this.edge.getElement();
    slider.setAttribute('aria-valuenow', String(position.radius));
    slider.setAttribute('aria-valuetext', `${position.radius} kilometres`);
    if (this.isShown) return;
    this.centre.addTo(this.map);
    this.edge.addTo(this.map);
    this.isShown = true;
  }

  /** Where the handles are now. @param byEdge whether the radius is what changes */
  private read(byEdge: boolean): SearchPosition {
    const centre = this.centre.getLngLat();
    const place = { latitude: roundDegrees(centre.lat), longitude: wrapLongitude(centre.lng) };
    const edge = this.edge.getLngLat();
    const pulled = kilometresBetween(place, edge.lat, wrapLongitude(edge.lng));
    const radius = byEdge
      ? Math.round(clampRadius(pulled) * 10) / 10
      : (this.position?.radius ?? 0);
    return { ...place, radius };
  }

  private pressKey(event: KeyboardEvent): void {
    const step = STEPS[event.key];
    if (step === undefined || !this.position) return;
    event.preventDefault();
    event.stopPropagation();
    const radius = clampRadius(this.position.radius + step);
    this.events.onDrop({ ...this.position, radius });
  }
}
