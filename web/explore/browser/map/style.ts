/** How the map looks: the layers of the world, below the layers of the stores. */
import type { FeatureCollection } from 'geojson';
import type {
  CircleLayerSpecification,
  ExpressionSpecification,
  LayerSpecification,
  SourceSpecification,
  StyleSpecification,
  SymbolLayerSpecification,
} from 'maplibre-gl';
import { tilesOf } from './basemap.ts';
import { FONT, type Palette } from './pictures.ts';
import { storeLayers } from './store-layers.ts';
import { FINE_ZOOM, MAX_ZOOM, MIN_ZOOM, SMALL_TOWN_ZOOM } from './zooms.ts';

/** From this zoom on the land is darker where people live. */
const BUILT_UP_ZOOM = 9;

/** From this zoom on names of countries are gone. */
const NEAR_ZOOM = 7;

/** Stores within so many pixels become one mark with their number, at every zoom. */
const CLUSTERING = { cluster: true, clusterRadius: 40, clusterMaxZoom: MAX_ZOOM };

const NOTHING: FeatureCollection = { type: 'FeatureCollection', features: [] };

export function mapStyle(palette: Palette): StyleSpecification {
  const tiles = { type: 'vector', maxzoom: FINE_ZOOM } as const;
  const own: SourceSpecification = { type: 'geojson', data: NOTHING };
  return {
    version: 8,
    sources: {
      world: { ...tiles, tiles: [tilesOf('world')], minzoom: MIN_ZOOM },
      small: { ...tiles, tiles: [tilesOf('small')], minzoom: FINE_ZOOM },
      search: own,
      stores: { ...own, ...CLUSTERING },
      rentalPoints: own,
      hovered: own,
      selected: own,
    },
    layers: [
      { id: 'sea', type: 'background', paint: { 'background-color': palette.sea } },
      ...landLayers(palette),
      // Of names that touch, the one that stands later here is drawn.
      ofSmallTowns(townLayer(palette), SMALL_TOWN_ZOOM),
      townLayer(palette),
      countryLayer(palette),
      ...storeLayers(palette),
    ],
  };
}

/**
 * Returns the pixels to which a town spreads at a zoom, as if it were round and had some thousand inhabitants a
 * square kilometre. It has a maximum, as towns at the sea are not round.
 */
const spread = (zoom: number): ExpressionSpecification => [
  '*',
  3.5 / 2 ** (MAX_ZOOM - zoom),
  ['sqrt', ['min', 250_000, ['get', 'population']]],
];

/** Begins a layer of the tiles of the world, by its name there. */
const ofWorld = (id: string) => ({ id, source: 'world', 'source-layer': id });

/** Makes a layer of towns one of small towns, which have tiles of their own. */
const ofSmallTowns = <Layer extends LayerSpecification>(layer: Layer, minzoom: number) => ({
  ...layer,
  id: `small-${layer.id}`,
  source: 'small',
  minzoom,
});

function landLayers({ land, built, sea, river, coast, border }: Palette): LayerSpecification[] {
  return [
    {
      ...ofWorld('land'),
      type: 'fill',
      paint: { 'fill-color': land, 'fill-antialias': false },
    },
    ofSmallTowns(builtUp(built), BUILT_UP_ZOOM),
    builtUp(built),
    {
      ...ofWorld('rivers'),
      type: 'line',
      minzoom: 2.5,
      layout: { 'line-cap': 'round', 'line-join': 'round' },
      paint: { 'line-color': river, 'line-width': byZoom(2.5, 0.5, 7, 2, 14, 7) },
    },
    {
      ...ofWorld('lakes'),
      type: 'fill',
      paint: { 'fill-color': sea, 'fill-outline-color': coast },
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

/** Makes the layer of the ground that towns cover. */
const builtUp = (color: string): CircleLayerSpecification => ({
  ...ofWorld('towns'),
  id: 'built-up',
  type: 'circle',
  minzoom: BUILT_UP_ZOOM,
  paint: {
    'circle-color': color,
    'circle-blur': 0.9,
    'circle-opacity': 0.6,
    'circle-radius': [
      'interpolate',
      ['exponential', 2],
      ['zoom'],
      BUILT_UP_ZOOM,
      spread(BUILT_UP_ZOOM),
      MAX_ZOOM,
      spread(MAX_ZOOM),
    ],
  },
});

/** Makes the layer of towns: the larger a town, the sooner its name is seen, and the larger. */
function townLayer({ town, halo }: Palette): SymbolLayerSpecification {
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

/** Makes the layer of countries: the larger a country, the further away its name is seen. */
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

/** Returns a value that grows with the zoom. @param steps zooms, each with its value */
function byZoom(...steps: (number | ExpressionSpecification)[]): ExpressionSpecification {
  return ['interpolate', ['linear'], ['zoom'], ...steps] as ExpressionSpecification;
}
