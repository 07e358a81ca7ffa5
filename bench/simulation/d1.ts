/** A Worker on D1, as a request finds it: `bench/contenders/d1.ts`. */
import { Random } from '../../fixtures/generator/random.ts';
import { greatCircleDistance } from '../contenders/plain/great-circle.ts';
import type { Arrival } from './arrivals.ts';
import type { Costs } from './costs.ts';
import { Isolates } from './isolates.ts';
import { drawDelay, Kv, tokenKey } from './kv.ts';
import { DATABASE, PLACES, roundTrip, type World } from './world.ts';

const PAGE = 100;

export class D1 {
  cpu = 0;
  queries = 0;
  listedRows = 0;
  readonly kv: Kv;
  private readonly world: World;
  private readonly costs: Costs;
  private readonly isolates: Isolates;
  private readonly random: Random;

  constructor(world: World, costs: Costs, seed: number) {
    this.world = world;
    this.costs = costs;
    this.kv = new Kv(world, seed);
    this.isolates = new Isolates(world, seed);
    this.random = new Random(seed, 5);
  }

  /** Milliseconds; the token is read from KV at an isolate's first request with it. */
  answer(arrival: Arrival): number {
    const { at, place, name, partner, subject } = arrival;
    const { isolate } = this.isolates.of(arrival, 0);
    const token = isolate.tokens.has(partner) ? 0 : this.kv.readShort(place, tokenKey(partner), at);
    isolate.tokens.add(partner);
    const { queries, beyondDelays, d1Cpu } = this.costs.cases[name];
    const distance = this.world.d1Distance * roundTrip(distanceTo(place));
    let waited = 0;
    for (let query = 0; query < queries; query++)
      waited += drawDelay(distance, this.world, this.random);
    this.queries += queries;
    this.cpu += d1Cpu;
    // `count(*)` goes through all rows, OFFSET through those it skips.
    if (name === 'list') this.listedRows += this.costs.storeCount + (subject + 1) * PAGE;
    return token + waited + beyondDelays;
  }
}

const DISTANCES = PLACES.map(({ latitude, longitude }) =>
  greatCircleDistance(latitude, longitude, DATABASE.latitude, DATABASE.longitude),
);

/** Kilometres from a place to D1's database. */
export function distanceTo(place: number): number {
  return DISTANCES[place] as number;
}
