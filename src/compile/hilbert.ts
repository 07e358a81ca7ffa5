/** Order along a space-filling curve: stores that are near each other get near numbers. */

const ORDER = 16;
const CELLS = 2 ** ORDER;

/**
 * Distance along a Hilbert curve of order 16 over longitude and latitude, 0 … 2^32 − 1.
 * The step from (x, y) to distance is the one of Wikipedia's "Hilbert curve" (xy2d).
 */
export function hilbertDistance(lat: number, lng: number): number {
  let x = cell((lng + 180) / 360);
  let y = cell((lat + 90) / 180);
  let distance = 0;
  for (let side = CELLS / 2; side >= 1; side /= 2) {
    const right = (x & side) > 0 ? 1 : 0;
    const upper = (y & side) > 0 ? 1 : 0;
    distance += side * side * ((3 * right) ^ upper);
    if (upper === 0) {
      if (right === 1) {
        x = CELLS - 1 - x;
        y = CELLS - 1 - y;
      }
      [x, y] = [y, x];
    }
  }
  return distance;
}

const cell = (fraction: number): number => Math.min(CELLS - 1, Math.floor(fraction * CELLS));
