/** Who asks what, where and when: the same for both designs. */
import { Random } from '../../fixtures/generator/random.ts';
import { type DayCase, KINDS, type Kind } from './costs.ts';
import { PLACES, type World } from './world.ts';

export interface Arrival {
  /** Seconds of the day, UTC. */
  readonly at: number;
  readonly kind: Kind;
  readonly name: DayCase;
  /** Index of the place. */
  readonly place: number;
  readonly partner: number;
  readonly isolate: number;
  /** Where in the directory it asks: a town, a store, or the number of a page of a walk. */
  readonly subject: number;
}

const DAY = 86_400;
const HOUR = 3_600;

/** The hour that is busiest in a place, and how much quieter the quietest is. */
const BUSIEST = 15;
const SWING = 0.9;

/** Towns that maps are opened at: the n-th as often as 1 / (n + 5). */
const TOWNS = 1_000;
const TOWN_WEIGHTS = cumulative(Array.from({ length: TOWNS }, (_, rank) => 1 / (rank + 5)));

const SHARES = cumulative(PLACES.map(({ share }) => share));

/** Of map requests, those that want the nearest 20; the others want 100. */
const NEAR_SHARE = 0.7;

/** Seconds between two pages of a walk; the hours between which walks begin. */
const PAGE_GAP = 0.3;
const FIRST_WALK = 1 * HOUR;
const LAST_WALK = 4 * HOUR;
const PAGE = 100;

/** In the order of time. */
export function drawArrivals(world: World, storeCount: number, seed: number): Arrival[] {
  const random = new Random(seed, 1);
  const hours = PLACES.map(({ hours: ahead }) => cumulative(rhythm(ahead)));
  const drawAsker = () => {
    const place = pick(SHARES, random);
    const { partners, isolates } = world;
    const partner = random.integer(0, partners - 1);
    return { place, partner, isolate: random.integer(0, isolates - 1) };
  };
  const drawTime = (place: number) =>
    (pick(hours[place] as number[], random) + random.fraction()) * HOUR;
  const arrivals: Arrival[] = [];
  for (let number = 0; number < world.mapRequests; number++) {
    const asker = drawAsker();
    const name = random.chance(NEAR_SHARE) ? 'near-city' : 'near-wide';
    const subject = pick(TOWN_WEIGHTS, random);
    arrivals.push({ at: drawTime(asker.place), kind: 'map', name, subject, ...asker });
  }
  for (let number = 0; number < world.lookUps; number++) {
    const asker = drawAsker();
    const name = random.pick(KINDS.lookUp);
    const subject = random.integer(0, storeCount - 1);
    arrivals.push({ at: drawTime(asker.place), kind: 'lookUp', name, subject, ...asker });
  }
  for (let number = 0; number < world.copies; number++) {
    const asker = drawAsker();
    const start = random.integer(FIRST_WALK, LAST_WALK);
    for (let page = 0; page * PAGE < storeCount; page++) {
      const isolate = random.integer(0, world.isolates - 1);
      const at = (start + page * PAGE_GAP) % DAY;
      arrivals.push({ ...asker, at, kind: 'copy', name: 'list', subject: page, isolate });
    }
  }
  return arrivals.sort((a, b) => a.at - b.at);
}

/** How much is asked in each hour, UTC, of a place that is so many hours ahead. */
function rhythm(ahead: number): number[] {
  return Array.from({ length: 24 }, (_, hour) => {
    const angle = (2 * Math.PI * (hour + ahead - BUSIEST)) / 24;
    return 1 + SWING * Math.cos(angle);
  });
}

function cumulative(weights: readonly number[]): number[] {
  let sum = 0;
  return weights.map((weight) => {
    sum += weight;
    return sum;
  });
}

/** A position, each as likely as its weight says. */
function pick(sums: readonly number[], random: Random): number {
  const wanted = random.fraction() * (sums.at(-1) ?? 0);
  let [low, high] = [0, sums.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sums[middle] as number) > wanted) high = middle;
    else low = middle + 1;
  }
  return low;
}
