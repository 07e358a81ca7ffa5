/** How the map looks: the layers of the world below, and those of the stores above. */
import type { FeatureCollection } from 'geojson';
import type {
  ExpressionSpecification,
  LayerSpecification,
  SourceSpecification,
  StyleSpecification,
} from 'maplibre-gl';
import { FINE_TILES, TOWN_TILES, WORLD_TILES } from './basemap.ts';
import { markColour, type Palette } from './map-palette.ts';

/** The coarse tiles begin here, and the map goes no further away. */
export const FARTHEST_ZOOM = 1;

/** From this zoom on the fine tiles are shown; the build cuts them for it. */
const FINE_ZOOM = 5;

/** From this zoom on towns have tiles of their own. */
const TOWN_ZOOM = 7;

/** Pixels within which stores become one mark, and the last zoom at which they do. */
const CLUSTERING = { cluster: true, clusterRadius: 44, clusterMaxZoom: 11 };

/** Layers whose marks can be pressed. */
export const STORE_LAYERS = ['store-clusters', 'store-points'];

/** Names of the browser's own fonts: no glyphs are loaded. */
const FONT = ['system-ui', 'sans-serif'];

/** What a mark on the map knows of its store. */
export interface MarkProperties {
  /** Number of the store in the list. */
  readonly row: number;
  /** Of `CHANGES`, or how its opening hours stand. */
  readonly kind: string;
}

const NOTHING: FeatureCollection = { type: 'FeatureCollection', features: [] };

export function mapStyle(palette: Palette): StyleSpecification {
  const own: SourceSpecification = { type: 'geojson', data: NOTHING };
  return {
    version: 8,
    sources: {
      world: { type: 'vector', tiles: [WORLD_TILES], minzoom: FARTHEST_ZOOM, maxzoom: 3 },
      fine: { type: 'vector', tiles: [FINE_TILES], minzoom: FINE_ZOOM, maxzoom: FINE_ZOOM },
      towns: { type: 'vector', tiles: [TOWN_TILES], minzoom: TOWN_ZOOM, maxzoom: TOWN_ZOOM },
      search: own,
      moves: own,
      stores: { ...own, ...CLUSTERING },
      hovered: own,
      selected: own,
    },
    layers: [...worldLayers(palette), ...storeLayers(palette)],
  };
}

function worldLayers(palette: Palette): LayerSpecification[] {
  const far = { source: 'world', maxzoom: FINE_ZOOM } as const;
  const near = { source: 'fine', minzoom: FINE_ZOOM } as const;
  return [
    { id: 'sea', type: 'background', paint: { 'background-color': palette.sea } },
    ...landLayers('far', far, palette),
    ...landLayers('near', near, palette),
    townLayer('far-towns', far, palette),
    townLayer('near-towns', { ...near, maxzoom: TOWN_ZOOM }, palette),
    townLayer('towns', { source: 'towns', minzoom: TOWN_ZOOM }, palette),
    {
      ...far,
      id: 'country-names',
      'source-layer': 'countries',
      type: 'symbol',
      minzoom: 1.5,
      filter: ['>', ['get', 'size'], ['interpolate', ['linear'], ['zoom'], 1.5, 120, 5, 1]],
      layout: {
        'text-field': ['upcase', ['get', 'name']],
        'text-font': FONT,
        'text-size': ['interpolate', ['linear'], ['zoom'], 1.5, 9, 5, 13],
        'text-letter-spacing': 0.12,
        'text-max-width': 7,
        'symbol-sort-key': ['-', ['get', 'size']],
      },
      paint: {
        'text-color': palette.country,
        'text-halo-color': palette.halo,
        'text-halo-width': 1.2,
      },
    },
  ];
}

function landLayers(
  name: string,
  where: { readonly source: string; readonly minzoom?: number; readonly maxzoom?: number },
  { land, coast, border }: Palette,
): LayerSpecification[] {
  const shape = { ...where, 'source-layer': 'land' };
  const lines = { ...where, 'source-layer': 'borders' };
  return [
    {
      ...shape,
      id: `${name}-land`,
      type: 'fill',
      paint: { 'fill-color': land, 'fill-antialias': false },
    },
    {
      ...lines,
      id: `${name}-borders`,
      type: 'line',
      paint: {
        'line-color': border,
        'line-width': ['interpolate', ['linear'], ['zoom'], 1, 0.6, 8, 1.6],
        'line-dasharray': [3, 2],
      },
    },
    {
      ...where,
      'source-layer': 'coast',
      id: `${name}-coast`,
      type: 'line',
      paint: { 'line-color': coast, 'line-width': 0.8 },
    },
  ];
}

function townLayer(
  id: string,
  where: { readonly source: string; readonly minzoom?: number; readonly maxzoom?: number },
  { town, halo }: Palette,
): LayerSpecification {
  return {
    ...where,
    id,
    'source-layer': 'towns',
    type: 'symbol',
    minzoom: Math.max(where.minzoom ?? 0, 3.5),
    filter: ['<=', ['get', 'zoom'], ['zoom']],
    layout: {
      'text-field': ['get', 'name'],
      'text-font': FONT,
      'text-size': [
        'interpolate',
        ['linear'],
        ['zoom'],
        4,
        ['step', ['get', 'population'], 10, 1_000_000, 12],
        11,
        ['step', ['get', 'population'], 11, 20_000, 13, 300_000, 17],
      ],
      'text-max-width': 8,
      'text-padding': 4,
      'symbol-sort-key': ['-', ['get', 'population']],
    },
    paint: { 'text-color': town, 'text-halo-color': halo, 'text-halo-width': 1.2 },
  };
}

function storeLayers(palette: Palette): LayerSpecification[] {
  const isCluster: ExpressionSpecification = ['has', 'point_count'];
  const ring = { 'circle-stroke-color': palette.ring, 'circle-stroke-width': 1.5 };
  return [
    {
      id: 'search-area',
      type: 'fill',
      source: 'search',
      paint: { 'fill-color': palette.search, 'fill-opacity': 0.12 },
    },
    {
      id: 'search-edge',
      type: 'line',
      source: 'search',
      paint: { 'line-color': palette.search, 'line-width': 2 },
    },
    {
      id: 'move-lines',
      type: 'line',
      source: 'moves',
      paint: { 'line-color': palette.changes.moved, 'line-width': 2, 'line-dasharray': [2, 1] },
    },
    {
      id: 'store-clusters',
      type: 'circle',
      source: 'stores',
      filter: isCluster,
      paint: {
        ...ring,
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
      filter: isCluster,
      layout: {
        'text-field': ['get', 'point_count_abbreviated'],
        'text-font': FONT,
        'text-size': 12,
        'text-allow-overlap': true,
      },
      paint: { 'text-color': palette.clusterText },
    },
    {
      id: 'store-points',
      type: 'circle',
      source: 'stores',
      filter: ['!', isCluster],
      paint: {
        ...ring,
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
