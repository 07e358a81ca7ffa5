/** Great-circle distances on a sphere. */
import { cosineOf, RADIANS } from '../model/angle.ts';

/** Mean Earth radius in km, the one geokdbush and most web maps compute with. */
export const EARTH_RADIUS = 6371;

/**
 * Great-circle distances from one position, by the haversine formula (R. W. Sinnott, "Virtues of the
 * Haversine", 1984).
 *
 * Unlike plain haversine it is exact where a point has several coordinates: longitudes 180 and
 * −180 are one, and at a pole every longitude is, so that distances that are equal compare equal.
 */
export class DistanceFrom {
  private readonly latitude: number;
  private readonly longitude: number;
  private readonly cosine: number;

  /** A position in degrees. */
  constructor(latitude: number, longitude: number) {
    this.latitude = latitude;
    this.longitude = longitude;
    this.cosine = cosineOf(latitude);
  }

  /**
   * Kilometres to a point in degrees.
   * @param cosine `cosineOf` its latitude, which the places of a release have at hand
   */
  to(latitude: number, longitude: number, cosine: number): number {
    const direct = Math.abs(this.longitude - longitude);
    // Each end's own way to the antimeridian is exact where 360 − direct would round.
    const span =
      direct > 180 ? 180 - Math.abs(this.longitude) + (180 - Math.abs(longitude)) : direct;
    const h = this.cosine * cosine * haversine(span) + haversine(this.latitude - latitude);
    return 2 * EARTH_RADIUS * Math.asin(Math.sqrt(Math.min(1, h)));
  }
}

/** Half the versed sine of an angle in degrees. */
function haversine(degrees: number): number {
  const sine = Math.sin((degrees * RADIANS) / 2);
  return sine * sine;
}
