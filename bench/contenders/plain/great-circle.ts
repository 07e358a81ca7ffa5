/** Great-circle distances by the textbook formula. */

/** Mean Earth radius in km, the service's. */
const EARTH_RADIUS = 6371;

/** Kilometres between two points in degrees, by the haversine formula. */
export function greatCircleDistance(
  latitude: number,
  longitude: number,
  otherLatitude: number,
  otherLongitude: number,
): number {
  const squares =
    haversine(latitude - otherLatitude) +
    Math.cos(radians(latitude)) *
      Math.cos(radians(otherLatitude)) *
      haversine(longitude - otherLongitude);
  return 2 * EARTH_RADIUS * Math.asin(Math.sqrt(Math.min(1, squares)));
}

function haversine(degrees: number): number {
  return Math.sin(radians(degrees) / 2) ** 2;
}

function radians(degrees: number): number {
  return (degrees * Math.PI) / 180;
}
