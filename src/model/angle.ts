/** Angles in degrees, as coordinates have them. */

export const RADIANS = Math.PI / 180;

/** Cosine of a latitude in degrees, exactly 0 at the poles. */
export function cosineOf(latitude: number): number {
  return Math.abs(latitude) === 90 ? 0 : Math.cos(latitude * RADIANS);
}
