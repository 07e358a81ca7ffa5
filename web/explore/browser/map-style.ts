/** How the map looks: the layers of the world, below those of the stores. */
import type { FeatureCollection } from 'geojson';
import type {
  ExpressionSpecification,
  LayerSpecification,
  SourceSpecification,
  StyleSpecification,
} from 'maplibre-gl';
import { FINE_TILES, TOWN_TILES, WORLD_TILES } from './basemap.ts';
import { FONT, type Palette } from './map-palette.ts';
import { clusterLayers, markLayers, searchLayers } from './store-layers.ts';

/** The coarse tiles begin here, and the map goes no further away. */
export const FARTHEST_ZOOM = 1;

/** From this zoom on the fine tiles are shown; the build cuts them for it. */
const FINE_ZOOM = 5;

/** From this zoom on towns have tiles of their own; names of countries and waters are gone. */
const TOWN_ZOOM = 7;

/** Pixels within which stores become one mark, and the last zoom at which they do. */
const CLUSTERING = { cluster: true, clusterRadius: 48, clusterMaxZoom: 11 };

const NOTHING: FeatureCollection = { type: 'FeatureCollection', features: [] };

/** Tiles of a source, between two zooms. */
interface Tiles {
  readonly source: string;
  readonly minzoom?: number;
  readonly maxzoom?: number;
}

const FAR: Tiles = { source: 'world', maxzoom: FINE_ZOOM };
const NEAR: Tiles = { source: 'fine', minzoom: FINE_ZOOM };

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
      { id: 'sea', type: 'background', paint: { 'background-color': palette.sea } },
      ...landLayers('far', FAR, palette),
      ...landLayers('near', NEAR, palette),
      townLayer('far-towns', FAR, palette),
      townLayer('near-towns', { ...NEAR, maxzoom: TOWN_ZOOM }, palette),
      townLayer('towns', { source: 'towns', minzoom: TOWN_ZOOM }, palette),
      countryLayer('far-countries', FAR, palette),
      countryLayer('near-countries', { ...NEAR, maxzoom: TOWN_ZOOM }, palette),
      ...searchLayers(palette),
      ...clusterLayers(palette),
      ...markLayers(),
    ],
  };
}

function landLayers(name: string, tiles: Tiles, palette: Palette): LayerSpecification[] {
  const { land, sea, river, coast, border } = palette;
  const water = { ...tiles, maxzoom: Math.min(tiles.maxzoom ?? TOWN_ZOOM, TOWN_ZOOM) };
  return [
    {
      ...tiles,
      'source-layer': 'land',
      id: `${name}-land`,
      type: 'fill',
      paint: { 'fill-color': land, 'fill-antialias': false },
    },
    {
      ...water,
      'source-layer': 'rivers',
      id: `${name}-rivers`,
      type: 'line',
      minzoom: Math.max(tiles.minzoom ?? 0, 2.5),
      paint: {
        'line-color': river,
        'line-opacity': fading(1),
        'line-width': ['interpolate', ['linear'], ['zoom'], 2.5, 0.5, 7, 2],
      },
    },
    {
      ...water,
      'source-layer': 'lakes',
      id: `${name}-lakes`,
      type: 'fill',
      paint: { 'fill-color': sea, 'fill-opacity': fading(1), 'fill-outline-color': coast },
    },
    {
      ...tiles,
      'source-layer': 'borders',
      id: `${name}-borders`,
      type: 'line',
      paint: {
        'line-color': border,
        'line-width': ['interpolate', ['linear'], ['zoom'], 1, 0.5, 8, 1.6],
        'line-dasharray': [3, 2],
      },
    },
    {
      ...tiles,
      'source-layer': 'coast',
      id: `${name}-coast`,
      type: 'line',
      paint: { 'line-color': coast, 'line-width': 0.8 },
    },
  ];
}

/** Waters are too coarse for what is seen near by. */
function fading(opacity: number): ExpressionSpecification {
  return ['interpolate', ['linear'], ['zoom'], TOWN_ZOOM - 1.2, opacity, TOWN_ZOOM, 0];
}

function townLayer(id: string, tiles: Tiles, { town, halo }: Palette): LayerSpecification {
  return {
    ...tiles,
    id,
    'source-layer': 'towns',
    type: 'symbol',
    minzoom: Math.max(tiles.minzoom ?? 0, 3),
    filter: ['<=', ['get', 'zoom'], ['zoom']],
    layout: {
      'icon-image': 'town',
      'icon-size': ['step', ['get', 'population'], 0.8, 100_000, 1, 1_000_000, 1.25],
      'text-field': ['get', 'name'],
      'text-font': FONT,
      'text-size': [
        'interpolate',
        ['linear'],
        ['zoom'],
        4,
        ['step', ['get', 'population'], 11, 1_000_000, 13],
        11,
        ['step', ['get', 'population'], 12, 20_000, 14, 300_000, 18],
      ],
      'text-variable-anchor': ['left', 'right', 'top', 'bottom'],
      'text-radial-offset': 0.55,
      'text-justify': 'auto',
      'text-max-width': 8,
      'text-padding': 3,
      'symbol-sort-key': ['-', ['get', 'population']],
    },
    paint: { 'text-color': town, 'text-halo-color': halo, 'text-halo-width': 1.4 },
  };
}

/** The larger a country, the further away its name is seen. */
function countryLayer(id: string, tiles: Tiles, { country, halo }: Palette): LayerSpecification {
  return {
    ...tiles,
    id,
    'source-layer': 'countries',
    type: 'symbol',
    filter: ['>', ['get', 'size'], ['interpolate', ['linear'], ['zoom'], 1, 60, 3, 8, 5, 0]],
    layout: {
      'text-field': ['upcase', ['get', 'name']],
      'text-font': FONT,
      'text-size': ['interpolate', ['linear'], ['zoom'], 1, 9, 3.5, 11, 6, 15],
      'text-letter-spacing': 0.14,
      'text-max-width': 7,
      'text-padding': 6,
      'symbol-sort-key': ['-', ['get', 'size']],
    },
    paint: {
      'text-color': country,
      'text-halo-color': halo,
      'text-halo-width': 1.4,
      'text-opacity': ['interpolate', ['linear'], ['zoom'], TOWN_ZOOM - 0.7, 1, TOWN_ZOOM, 0],
    },
  };
}
