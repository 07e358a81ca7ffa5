/** Land, borders and the names of countries, from Natural Earth as `world-atlas` packs it. */

import { createRequire } from 'node:module';
import type {
  Feature,
  FeatureCollection,
  Geometry,
  MultiPolygon,
  Polygon,
  Position,
} from 'geojson';
import { feature, mesh } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import { closedRings, withoutJumps } from './antimeridian.ts';

type Atlas = Topology<{ countries: GeometryCollection }>;

type Shapes = FeatureCollection<Polygon | MultiPolygon, { name: string }>;

const load = createRequire(import.meta.url);

/** Reads the map. @param detail of the map: 1 : 50 million or 1 : 10 million */
export function readNaturalEarth(detail: '50m' | '10m') {
  const atlas: Atlas = load(`world-atlas/countries-${detail}.json`);
  const shapes = atlas.objects.countries;
  const { features } = feature(atlas, shapes) as Shapes;
  const countries = features.map(({ geometry, properties: { name } }) => {
    const pieces = geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates;
    return { name, pieces: pieces.map(closedRings) };
  });
  const lines = (isWanted: (one: unknown, other: unknown) => boolean) => {
    const { coordinates } = mesh(atlas, shapes, isWanted);
    return bare({ type: 'MultiLineString', coordinates: coordinates.map(withoutJumps) });
  };
  return {
    // Country by country: a continent in one piece, cut at the edges of tiles, has outlines that run
    // along themselves, which MapLibre fills wrongly.
    land: collection(
      countries.map(({ pieces }) => bare({ type: 'MultiPolygon', coordinates: pieces })),
    ),
    coast: lines((one, other) => one === other),
    borders: lines((one, other) => one !== other),
    countries: collection(countries.map(nameOf)),
  };
}

export const collection = (features: Feature[]): FeatureCollection => ({
  type: 'FeatureCollection',
  features,
});

/** Makes a feature without properties of a shape. */
export const bare = (geometry: Geometry): Feature => ({
  type: 'Feature',
  properties: {},
  geometry,
});

/** Returns the name of a country, in the middle of its largest piece. */
function nameOf({ name, pieces }: { name: string; pieces: Position[][][] }): Feature {
  const { x, y, size } = pieces
    .map(([outline = []]) => middleOf(outline))
    .reduce((largest, each) => (each.size > largest.size ? each : largest));
  return {
    type: 'Feature',
    properties: { name, size: Math.round(size) },
    geometry: { type: 'Point', coordinates: [x, y] },
  };
}

/** Returns the centroid of a ring in degrees, and its area in square degrees. */
function middleOf(ring: readonly Position[]): { x: number; y: number; size: number } {
  let [area, x, y] = [0, 0, 0];
  for (let index = 1; index < ring.length; index++) {
    const [x0 = 0, y0 = 0] = ring[index - 1] ?? [];
    const [x1 = 0, y1 = 0] = ring[index] ?? [];
    const cross = x0 * y1 - x1 * y0;
    area += cross;
    x += (x0 + x1) * cross;
    y += (y0 + y1) * cross;
  }
  return { x: x / (3 * area), y: y / (3 * area), size: Math.abs(area) / 2 };
}
