/** Land, borders and the names of countries, from Natural Earth as `world-atlas` packs it. */

import { createRequire } from 'node:module';
import type { Feature, FeatureCollection, Geometry, Position } from 'geojson';
import { feature, mesh } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import { acrossAntimeridian } from './antimeridian.ts';

type Atlas = Topology<{
  countries: GeometryCollection<{ name: string }>;
}>;

const load = createRequire(import.meta.url);

/** Reads the map. @param detail of the map: 1 : 50 million or 1 : 10 million */
export function readNaturalEarth(detail: '50m' | '10m') {
  const atlas: Atlas = load(`world-atlas/countries-${detail}.json`);
  const { countries } = atlas.objects;
  const shapes = feature(atlas, countries).features.map((shape) => ({
    ...shape,
    geometry: acrossAntimeridian(shape.geometry),
  }));
  return {
    // Country by country: a continent in one piece, cut at the edges of tiles, has outlines that run
    // along themselves, which MapLibre fills wrongly.
    land: collection(shapes.map(({ geometry }) => bare(geometry))),
    coast: lines(mesh(atlas, countries, (one, other) => one === other)),
    borders: lines(mesh(atlas, countries, (one, other) => one !== other)),
    countries: collection(shapes.flatMap(nameOf)),
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

const lines = (geometry: Geometry): Feature => bare(acrossAntimeridian(geometry));

/** Returns the name of a country, in the middle of its largest piece. */
function nameOf({ geometry, properties }: Feature<Geometry, { name: string }>): Feature[] {
  const polygons =
    geometry.type === 'MultiPolygon'
      ? geometry.coordinates
      : geometry.type === 'Polygon'
        ? [geometry.coordinates]
        : [];
  const pieces = polygons.map((rings) => middleOf(rings[0] ?? [])).sort((a, b) => b.size - a.size);
  const [largest] = pieces;
  if (!largest) return [];
  return [
    {
      type: 'Feature',
      properties: { name: properties.name, size: Math.round(largest.size) },
      geometry: { type: 'Point', coordinates: [largest.x, largest.y] },
    },
  ];
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
