/** Stores, and the circle that is searched: their GeoJSON, and how they look on the map. */
import type { Feature } from 'geojson';
import type { LayerSpecification } from 'maplibre-gl';
import { KILOMETRES_A_DEGREE } from '../model/area.ts';
import type { FoundStore, Point } from '../model/found.ts';
import { iconOf } from '../model/icon-paths.ts';
import type { Place } from '../model/state.ts';
import { FONT, type Palette } from './pictures.ts';

/** Corners of the polygon that stands for a circle. */
const CORNERS = 96;

/** Layers whose marks can be pressed. */
export const STORE_LAYERS = ['store-clusters', 'store-points'];

const PINS = {
  type: 'symbol',
  layout: {
    'icon-image': ['concat', 'active-', ['get', 'picture']],
    'icon-anchor': 'bottom',
    'icon-allow-overlap': true,
    'icon-ignore-placement': true,
    'icon-size': 1.2,
  },
} as const satisfies Partial<LayerSpecification>;

/**
 * Returns the layers, from the lowest: the edge of the circle that is searched; stores that are too near to
 * each other, as one mark with their number; all others; the rental points of the chosen store; the stores
 * that the pointer is on or the user has chosen.
 */
export function storeLayers(palette: Palette): LayerSpecification[] {
  const { active, cluster, clusterText, ring } = palette;
  return [
    {
      id: 'search-edge',
      type: 'line',
      source: 'search',
      paint: { 'line-color': active, 'line-width': 2 },
    },
    {
      id: 'store-clusters',
      type: 'circle',
      source: 'stores',
      filter: ['has', 'point_count'],
      paint: {
        'circle-color': cluster,
        'circle-stroke-color': ring,
        'circle-stroke-width': 2,
        'circle-radius': [
          'interpolate',
          ['linear'],
          ['ln', ['get', 'point_count']],
          0.7,
          14,
          9,
          34,
        ],
      },
    },
    {
      id: 'store-counts',
      type: 'symbol',
      source: 'stores',
      filter: ['has', 'point_count'],
      layout: {
        'text-field': ['number-format', ['get', 'point_count'], { locale: 'en' }],
        'text-font': FONT,
        'text-size': 13,
        'text-allow-overlap': true,
      },
      paint: { 'text-color': clusterText },
    },
    {
      ...PINS,
      id: 'store-points',
      source: 'stores',
      filter: ['!', ['has', 'point_count']],
      layout: {
        ...PINS.layout,
        'icon-image': ['concat', 'pin-', ['get', 'picture']],
        'icon-size': 1,
      },
    },
    {
      id: 'rental-points',
      type: 'circle',
      source: 'rentalPoints',
      paint: {
        'circle-color': active,
        'circle-stroke-color': ring,
        'circle-stroke-width': 2,
        'circle-radius': 7,
      },
    },
    { ...PINS, id: 'hovered', source: 'hovered' },
    { ...PINS, id: 'selected', source: 'selected' },
  ];
}

/** Makes the pin of each store that has a point: `picture` is what one rents there. */
export const pinsOf = (stores: readonly FoundStore[]): Feature[] =>
  stores.flatMap(({ id, point, verticales }) =>
    point ? [{ ...pointFeature(point), properties: { id, picture: iconOf(verticales) } }] : [],
  );

export const pointFeature = ({ lng, lat }: Point): Feature => ({
  type: 'Feature',
  properties: {},
  geometry: { type: 'Point', coordinates: [lng, lat] },
});

/** Makes the edge of the circle that is searched; so small on the globe, it is an ellipse in degrees. */
export function circleFeature({ latitude, longitude, radius }: Place): Feature {
  const high = radius / KILOMETRES_A_DEGREE;
  const wide = high / Math.max(0.01, Math.cos((latitude * Math.PI) / 180));
  const coordinates = Array.from({ length: CORNERS + 1 }, (_, corner) => {
    const turn = (corner * 2 * Math.PI) / CORNERS;
    return [longitude + wide * Math.sin(turn), latitude + high * Math.cos(turn)];
  });
  return { type: 'Feature', properties: {}, geometry: { type: 'LineString', coordinates } };
}

/** Returns the point of a feature that is one. */
export function pointOf({ geometry }: Feature): Point {
  const [lng = 0, lat = 0] = geometry.type === 'Point' ? geometry.coordinates : [];
  return { lat, lng };
}
