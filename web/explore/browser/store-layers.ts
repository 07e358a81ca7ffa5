/** How stores, and the place that is searched around, look on the map. */
import type { ExpressionSpecification, LayerSpecification } from 'maplibre-gl';
import { FONT, type Palette } from './map-palette.ts';

/** Layers whose marks can be pressed. */
export const STORE_LAYERS = ['store-clusters', 'store-points'];

/** What a mark on the map knows of its store. */
export interface MarkProperties {
  readonly id: string;
  /** What it rents, or of `CHANGES`. */
  readonly kind: string;
}

const IS_CLUSTER: ExpressionSpecification = ['has', 'point_count'];

/** What lies outside of the circle that is searched, and its edge; the ways of stores that have moved. */
export function searchLayers({ outside, active, changes }: Palette): LayerSpecification[] {
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
      id: 'move-lines',
      type: 'line',
      source: 'moves',
      paint: { 'line-color': changes.moved, 'line-width': 2, 'line-dasharray': [2, 1] },
    },
  ];
}

/** Stores that are too near to each other to be told apart, as one mark with their number. */
export function clusterLayers({ cluster, clusterText, ring }: Palette): LayerSpecification[] {
  return [
    {
      id: 'store-clusters',
      type: 'circle',
      source: 'stores',
      filter: IS_CLUSTER,
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
      filter: IS_CLUSTER,
      layout: {
        'text-field': ['get', 'point_count_abbreviated'],
        'text-font': FONT,
        'text-size': 13,
        'text-allow-overlap': true,
      },
      paint: { 'text-color': clusterText },
    },
  ];
}

/** One store each, and above them those that the pointer is on or the user has chosen. */
export function markLayers(): LayerSpecification[] {
  return [
    { ...pins('store-points', 'stores', 'pin-'), filter: ['!', IS_CLUSTER] },
    pins('hovered', 'hovered', 'active-'),
    pins('selected', 'selected', 'active-'),
  ];
}

function pins(id: string, source: string, image: string) {
  return {
    id,
    type: 'symbol',
    source,
    layout: {
      'icon-image': ['concat', image, ['get', 'kind']] as ExpressionSpecification,
      'icon-anchor': 'bottom',
      'icon-allow-overlap': true,
      'icon-ignore-placement': true,
      'icon-size': image === 'active-' ? 1.2 : 1,
    },
  } as const satisfies LayerSpecification;
}
