/** Great-circle distances on a sphere. */

const RADIANS = Math.PI / 180;

/** Mean Earth radius in km, the one geokdbush and most web maps compute with. */
export const EARTH_RADIUS = 6371;

/**
 * Estimates reach this far, in km: what is further away is estimated to be further than this. No
 * search may have a larger radius.
 */
export const ESTIMATE_REACH = 50;

/**
 * Estimates within this share of each other do not tell which of two points is nearer. They are
 * true to a hundredth of it.
 */
export const ESTIMATE_DOUBT = 1e-9;

/** Nor do estimates below this, the squares of angles so small that they are no numbers any more. */
export const ESTIMATE_FLOOR = 1e-300;

/** Degrees from which points within reach may be too many degrees away for the series. */
const HIGH_LATITUDE = 80;
const NEAR_ANTIMERIDIAN = 175;
/** Square of an angle in radians that is out of reach and yet small enough for the series. */
const TOO_FAR = 0.01 ** 2;

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
  private readonly sine: number;

  /** A position in degrees. */
  constructor(latitude: number, longitude: number) {
    this.latitude = latitude;
    this.longitude = longitude;
    this.cosine = cosineOf(latitude);
    this.sine = Math.sin(latitude * RADIANS);
  }

  /** Kilometres to a point in degrees. */
  to(latitude: number, longitude: number): number {
    const h = Math.min(1, this.haversineTo(latitude, longitude));
    return 2 * EARTH_RADIUS * Math.asin(Math.sqrt(h));
  }

  /**
   * Writes about the haversine of the angle to each point into `estimates`, which grows with the
   * distance: for telling near from far at a fraction of the cost.
   * @param coordinates longitude and latitude of each point in turn, in degrees
   * @param first number of the first point; `count` points get the first estimates
   */
  estimate(
    coordinates: ArrayLike<number>,
    first: number,
    count: number,
    estimates: Float64Array,
  ): void {
    const isFarNorthOrEast =
      Math.abs(this.latitude) > HIGH_LATITUDE || Math.abs(this.longitude) > NEAR_ANTIMERIDIAN;
    if (!isFarNorthOrEast) {
      this.estimateBySeries(coordinates, first, count, estimates);
      return;
    }
    for (let index = 0; index < count; index++) {
      const point = first + index;
      const longitude = coordinates[2 * point] as number;
      const latitude = coordinates[2 * point + 1] as number;
      estimates[index] = this.haversineTo(latitude, longitude);
    }
  }

  private estimateBySeries(
    coordinates: ArrayLike<number>,
    first: number,
    count: number,
    estimates: Float64Array,
  ): void {
    const { latitude, longitude, cosine, sine } = this;
    // Locals and literals: in this loop, loads from a module's scope cost more than the sums.
    const radians = RADIANS;
    const tooFar = TOO_FAR;
    for (let index = 0; index < count; index++) {
      const point = first + index;
      const east = ((coordinates[2 * point] as number) - longitude) * radians;
      const north = ((coordinates[2 * point + 1] as number) - latitude) * radians;
      const square = north * north;
      if (square > tooFar) {
        estimates[index] = 1;
        continue;
      }
      // The cosine of the point's latitude, which is the position's and a little more.
      const littleCosine = 1 - square * (1 / 2 - square * (1 / 24));
      const littleSine = north * (1 - square * (1 / 6 - square * (1 / 120)));
      const otherCosine = cosine * littleCosine - sine * littleSine;
      const across = squaredSineOfHalf(east * east);
      estimates[index] = cosine * otherCosine * across + squaredSineOfHalf(square);
    }
  }

  private haversineTo(latitude: number, longitude: number): number {
    const across = haversine(this.spanTo(longitude));
    return this.cosine * cosineOf(latitude) * across + haversine(this.latitude - latitude);
  }

  /** Degrees between the meridian of a point and the position's, the short way. */
  private spanTo(longitude: number): number {
    const direct = Math.abs(this.longitude - longitude);
    if (direct <= 180) return direct;
    // Each end's own way to the antimeridian is exact where 360 − direct would round.
    return 180 - Math.abs(this.longitude) + (180 - Math.abs(longitude));
  }
}

/** What `estimate` is for points at `distance` km. */
export function estimateAt(distance: number): number {
  return Math.sin(distance / EARTH_RADIUS / 2) ** 2;
}

/** Cosine of a latitude in degrees, exactly 0 at the poles. */
function cosineOf(latitude: number): number {
  return Math.abs(latitude) === 90 ? 0 : Math.cos(latitude * RADIANS);
}

/** Half the versed sine of an angle in degrees. */
function haversine(degrees: number): number {
  const sine = Math.sin((degrees * RADIANS) / 2);
  return sine * sine;
}

/**
 * The square of the sine of half a small angle, by three terms of its Taylor series.
 * @param square of the angle in radians
 */
function squaredSineOfHalf(square: number): number {
  const half = square / 4;
  return half * (1 - half * (1 / 3 - half * (2 / 45)));
}
