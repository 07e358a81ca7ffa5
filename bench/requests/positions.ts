/** Where the searches of the benchmark start, in degrees. */
import { drawPlace } from '../../fixtures/generator/places.ts';
import type { Random } from '../../fixtures/generator/random.ts';

export interface Position {
  readonly latitude: number;
  readonly longitude: number;
}

const TOWN_INHABITANTS = 100_000;
const VILLAGE_INHABITANTS = 10_000;

/** Partners pass on where their users stand: within a few kilometres of a centre. */
const TOWN_SPREAD = 0.03;
const COUNTRY_SPREAD = 0.2;

/** Somewhere in a town, each as likely as it is populous. */
export function drawInTown(random: Random): Position {
  return drawAround(random, (inhabitants) => inhabitants >= TOWN_INHABITANTS, TOWN_SPREAD);
}

/** Somewhere around a small place. */
export function drawInCountry(random: Random): Position {
  return drawAround(random, (inhabitants) => inhabitants < VILLAGE_INHABITANTS, COUNTRY_SPREAD);
}

function drawAround(
  random: Random,
  isWanted: (inhabitants: number) => boolean,
  spread: number,
): Position {
  for (;;) {
    const { latitude, longitude, population } = drawPlace(random);
    if (!isWanted(population)) continue;
    return {
      latitude: random.decimal(latitude - spread, latitude + spread, 5),
      longitude: random.decimal(longitude - spread, longitude + spread, 5),
    };
  }
}
