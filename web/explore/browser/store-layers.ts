/** How stores, and the search for them, look on the map. */
import type { ExpressionSpecification, LayerSpecification } from 'maplibre-gl';
import { FONT, markColour, type Palette } from './map-palette.ts';

/** Layers whose marks can be pressed. */
export const STORE_LAYERS = ['store-clusters', 'store-points'];

/** What a mark on the map knows of its store. */
export interface MarkProperties {
  /** Number of the store in the list. */
  readonly row: number;
  /** Of `CHANGES`, or how its opening hours stand. */
  readonly kind: string;
}

const IS_CLUSTER: ExpressionSpecification = ['has', 'point_count'];

/** Where is searched, and the ways of stores that have moved. */
export function searchLayers({ search, changes }: Palette): LayerSpecification[] {
  return [
    {
      id: 'search-area',
      type: 'fill',
      source: 'search',
      paint: { 'fill-color': search, 'fill-opacity': 0.12 },
    },
    {
      id: 'search-edge',
      type: 'line',
      source: 'search',
      paint: { 'line-color': search, 'line-width': 2 },
    },
    {
      id: 'move-lines',
      type: 'line',
      source: 'moves',
      paint: { 'line-color': changes.moved, 'line-width': 2, 'line-dasharray': [2, 1] },
    },
  ];
}

/** What is around a mark of the map. */
const ringOf = ({ ring }: Palette) =>
  ({ 'circle-stroke-color': ring, 'circle-stroke-width': 1.5 }) as const;

/** Stores that are too near to each other to be told apart, as one mark with their number. */
export function clusterLayers(palette: Palette): LayerSpecification[] {
  return [
    {
      id: 'store-clusters',
      type: 'circle',
      source: 'stores',
      filter: IS_CLUSTER,
      paint: {
        ...ringOf(palette),
        'circle-color': palette.cluster,
        'circle-opacity': 0.92,
        'circle-radius': [
          'interpolate',
          ['linear'],
          ['ln', ['get', 'point_count']],
          0.7,
          12,
          9,
          30,
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
        'text-size': 12,
        'text-allow-overlap': true,
      },
      paint: { 'text-color': palette.clusterText },
    },
  ];
}

/** One store each, and those that the pointer is on or the user has chosen. */
export function markLayers(palette: Palette): LayerSpecification[] {
  return [
    {
      id: 'store-points',
      type: 'circle',
      source: 'stores',
      filter: ['!', IS_CLUSTER],
      paint: {
        ...ringOf(palette),
        'circle-color': markColour(palette),
        'circle-radius': ['interpolate', ['linear'], ['zoom'], 2, 4, 10, 7.5],
      },
    },
    ...['hovered', 'selected'].map(
      (id): LayerSpecification => ({
        id,
        type: 'circle',
        source: id,
        paint: {
          'circle-color': id === 'selected' ? palette.store : 'transparent',
          'circle-radius': id === 'selected' ? 9 : 12,
          'circle-stroke-color': palette.town,
          'circle-stroke-width': 3,
        },
      }),
    ),
  ];
}
