/** How stores, and the place that is searched around, look on the map. */
import type { LayerSpecification } from 'maplibre-gl';
import { FONT, type Palette } from './map-palette.ts';

/** Layers whose marks can be pressed. */
export const STORE_LAYERS = ['store-clusters', 'store-points'];

const PINS = {
  type: 'symbol',
  layout: {
    'icon-image': ['concat', 'active-', ['get', 'kind']],
    'icon-anchor': 'bottom',
    'icon-allow-overlap': true,
    'icon-ignore-placement': true,
    'icon-size': 1.2,
  },
} as const satisfies Partial<LayerSpecification>;

/**
 * What lies outside of the circle that is searched, and its edge;
 * stores that are too near to each other to be told apart, as one mark with their number; one store
 * each, and above them those that the pointer is on or the user has chosen.
 */
export function storeLayers(palette: Palette): LayerSpecification[] {
  const { outside, active, cluster, clusterText, ring } = palette;
  return [
    {
      id: 'outside',
      type: 'fill',
      source: 'search',
      filter: ['==', ['geometry-type'], 'Polygon'],
      paint: { 'fill-color': outside, 'fill-opacity': 0.25 },
    },
    {
      id: 'search-edge',
      type: 'line',
      source: 'search',
      filter: ['==', ['geometry-type'], 'LineString'],
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
        'text-field': ['get', 'point_count_abbreviated'],
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
        'icon-image': ['concat', 'pin-', ['get', 'kind']],
        'icon-size': 1,
      },
    },
    { ...PINS, id: 'hovered', source: 'hovered' },
    { ...PINS, id: 'selected', source: 'selected' },
  ];
}
