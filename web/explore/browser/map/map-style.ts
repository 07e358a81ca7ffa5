/** How the map looks: the layers of the world, below those of the stores. */
import type { FeatureCollection } from 'geojson';
import type {
  ExpressionSpecification,
  LayerSpecification,
  SourceSpecification,
  StyleSpecification,
} from 'maplibre-gl';
import { WORLD_TILES } from './basemap.ts';
import { FONT, type Palette } from './map-palette.ts';
import { storeLayers } from './store-layers.ts';

/** The tiles begin here, and the map goes no further away. */
export const FARTHEST_ZOOM = 1;

/** The zoom of the finest tiles of the world. */
const FINEST_ZOOM = 6;

/** From this zoom on names of countries and waters are gone. */
const NEAR_ZOOM = 7;

/** Pixels within which stores become one mark, and the last zoom at which they do. */
const CLUSTERING = { cluster: true, clusterRadius: 48, clusterMaxZoom: 11 };

const NOTHING: FeatureCollection = { type: 'FeatureCollection', features: [] };

/** Waters are too coarse for what is seen near by. */
const FADING: ExpressionSpecification = byZoom(NEAR_ZOOM - 1.2, 1, NEAR_ZOOM, 0);

export function mapStyle(palette: Palette): StyleSpecification {
  const own: SourceSpecification = { type: 'geojson', data: NOTHING };
  return {
    version: 8,
    sources: {
      world: {
        type: 'vector',
        tiles: [WORLD_TILES],
        minzoom: FARTHEST_ZOOM,
        maxzoom: FINEST_ZOOM,
      },
      search: own,
      stores: { ...own, ...CLUSTERING },
      hovered: own,
      selected: own,
    },
    layers: [
      { id: 'sea', type: 'background', paint: { 'background-color': palette.sea } },
      ...landLayers(palette),
      townLayer(palette),
      countryLayer(palette),
      ...storeLayers(palette),
    ],
  };
}

/** A layer of the tiles of the world, by its name there. */
const ofWorld = (id: string) => ({ id, source: 'world', 'source-layer': id });

function landLayers({ land, sea, river, coast, border }: Palette): LayerSpecification[] {
  return [
    {
      ...ofWorld('land'),
      type: 'fill',
      paint: { 'fill-color': land, 'fill-antialias': false },
    },
    {
      ...ofWorld('rivers'),
      type: 'line',
      minzoom: 2.5,
      maxzoom: NEAR_ZOOM,
      paint: {
        'line-color': river,
        'line-opacity': FADING,
        'line-width': byZoom(2.5, 0.5, 7, 2),
      },
    },
    {
      ...ofWorld('lakes'),
      type: 'fill',
      maxzoom: NEAR_ZOOM,
      paint: { 'fill-color': sea, 'fill-opacity': FADING, 'fill-outline-color': coast },
    },
    {
      ...ofWorld('borders'),
      type: 'line',
      paint: {
        'line-color': border,
        'line-width': byZoom(1, 0.5, 8, 1.6),
        'line-dasharray': [3, 2],
      },
    },
    {
      ...ofWorld('coast'),
      type: 'line',
      paint: { 'line-color': coast, 'line-width': 0.8 },
    },
  ];
}

/** The larger a town, the sooner its name is seen, and the larger. */
function townLayer({ town, halo }: Palette): LayerSpecification {
  return {
    ...ofWorld('towns'),
    type: 'symbol',
    minzoom: 3,
    filter: ['<=', ['get', 'zoom'], ['zoom']],
    layout: {
      'icon-image': 'town',
      'icon-size': ['step', ['get', 'population'], 0.8, 100_000, 1, 1_000_000, 1.25],
      'text-field': ['get', 'name'],
      'text-font': FONT,
      'text-size': byZoom(4, ['step', ['get', 'population'], 11, 1_000_000, 13], 11, [
        'step',
        ['get', 'population'],
        12,
        20_000,
        14,
        300_000,
        18,
      ]),
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
function countryLayer({ country, halo }: Palette): LayerSpecification {
  return {
    ...ofWorld('countries'),
    type: 'symbol',
    maxzoom: NEAR_ZOOM,
    filter: ['>', ['get', 'size'], byZoom(1, 60, 3, 8, 5, 0)],
    layout: {
      'text-field': ['upcase', ['get', 'name']],
      'text-font': FONT,
      'text-size': byZoom(1, 9, 3.5, 11, 6, 15),
      'text-letter-spacing': 0.14,
      'text-max-width': 7,
      'text-padding': 6,
      'symbol-sort-key': ['-', ['get', 'size']],
    },
    paint: {
      'text-color': country,
      'text-halo-color': halo,
      'text-halo-width': 1.4,
      'text-opacity': byZoom(NEAR_ZOOM - 0.7, 1, NEAR_ZOOM, 0),
    },
  };
}

/** A value that grows with the zoom: zooms, each with its value. */
function byZoom(...steps: (number | ExpressionSpecification)[]): ExpressionSpecification {
  return ['interpolate', ['linear'], ['zoom'], ...steps] as ExpressionSpecification;
}
