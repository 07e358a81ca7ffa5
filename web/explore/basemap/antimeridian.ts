/**
 * Outlines that cross the antimeridian jump from one edge of the world to the other in the data; on a
 * flat map each has to go on beyond the edge. The cutter of tiles knows where such parts belong.
 */
import type { Position } from 'geojson';

const SOUTH_POLE = -90;

/** Degrees south of which there is no coast. */
const NEAR_POLE = -89;

/**
 * Returns closed rings, without rings along the pole: Antarctica has one before its coast, which would be a
 * hole in it then, and half of the land sea.
 */
export function closedRings(rings: readonly Position[][]): Position[][] {
  return rings
    .filter((ring) => ring.some(([, latitude = 0]) => latitude > NEAR_POLE))
    .map(closedRing);
}

/** Closes a ring. A ring around a pole, such as Antarctica's, ends a world further on: it is closed along the pole. */
function closedRing(ring: readonly Position[]): Position[] {
  const open = withoutJumps(ring);
  const [[first = 0] = [], [last = 0] = []] = [open[0], open.at(-1)];
  if (Math.abs(last - first) < 180) return open;
  return [...open, [last, SOUTH_POLE], [first, SOUTH_POLE], open[0] as Position];
}

export function withoutJumps(line: readonly Position[]): Position[] {
  let turns = 0;
  return line.map(([longitude = 0, latitude = 0], index) => {
    const before = line[index - 1]?.[0] ?? longitude;
    if (longitude - before > 180) turns--;
    if (longitude - before < -180) turns++;
    return [longitude + 360 * turns, latitude];
  });
}
