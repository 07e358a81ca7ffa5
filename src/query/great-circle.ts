/** Great-circle distances on a sphere. */

/** Mean Earth radius in km, the one geokdbush and most web maps compute with. */
export const EARTH_RADIUS = 6371;

const RADIANS = Math.PI / 180;

/**
 * Distance in km between two points in degrees, by the haversine formula (R. W. Sinnott,
 * "Virtues of the Haversine", 1984).
 *
 * Unlike plain haversine it is exact where a point has several coordinates: longitudes 180 and
 * −180 are one, and at a pole every longitude is, so that distances that are equal compare equal.
 */
export function greatCircleDistance(
  lat1: number,
  lng1: number,
  lat2: number,
  lng2: number,
): number {
  const turn = Math.abs(lng1 - lng2);
  const span = turn > 180 ? 360 - turn : turn;
  const h = cosine(lat1) * cosine(lat2) * haversine(span) + haversine(lat1 - lat2);
  return 2 * EARTH_RADIUS * Math.asin(Math.sqrt(Math.min(1, h)));
}

/** Cosine of a latitude in degrees, exactly 0 at the poles. */
function cosine(latitude: number): number {
  return Math.abs(latitude) === 90 ? 0 : Math.cos(latitude * RADIANS);
}

/** Half the versed sine of an angle in degrees. */
function haversine(degrees: number): number {
  const sine = Math.sin((degrees * RADIANS) / 2);
  return sine * sine;
}
