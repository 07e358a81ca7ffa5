/** How stores, and the place that is searched around, look on the map. */
import type { LayerSpecification } from 'maplibre-gl';
import { FONT, type Palette } from './palette.ts';

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
        'circle-radius': ['interpolate', ['linear'], ['ln', ['get', 'point_count']], 0.7, 14, 9, 34],
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
