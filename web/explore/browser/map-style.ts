/** How the map looks: the layers of the world, below those of the stores. */
import type { FeatureCollection } from 'geojson';
import type { LayerSpecification, SourceSpecification, StyleSpecification } from 'maplibre-gl';
import { FINE_TILES, TOWN_TILES, WORLD_TILES } from './basemap.ts';
import { FONT, type Palette } from './map-palette.ts';
import { clusterLayers, markLayers, searchLayers } from './store-layers.ts';

/** The coarse tiles begin here, and the map goes no further away. */
export const FARTHEST_ZOOM = 1;

/** From this zoom on the fine tiles are shown; the build cuts them for it. */
const FINE_ZOOM = 5;

/** From this zoom on towns have tiles of their own. */
const TOWN_ZOOM = 7;

/** Pixels within which stores become one mark, and the last zoom at which they do. */
const CLUSTERING = { cluster: true, clusterRadius: 44, clusterMaxZoom: 11 };

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
    layers: [
      ...worldLayers(palette),
      ...searchLayers(palette),
      ...clusterLayers(palette),
      ...markLayers(palette),
    ],
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
