/** What a read of KV takes: as long as the nearest tier that has the value. */
import { Random } from '../../fixtures/generator/random.ts';
import { DEVIATION } from '../storage/protocol.ts';
import { PLACES, type World } from './world.ts';

/** Seconds for which pointer and tokens may be kept: `src/storage/kv-source.ts`, `src/auth`. */
export const SHORT_LIFE = 30;

const HOUR = 3_600;

const FIRST_TOKEN_KEY = 1;

/** The key of a partner's token. */
export const tokenKey = (partner: number): number => FIRST_TOKEN_KEY + partner;

/** Milliseconds that a read or a query takes which takes so many as a rule. */
export function drawDelay(usual: number, world: World, random: Random): number {
  if (random.chance(world.slowShare)) return world.slowFactor * usual;
  return usual * (1 - DEVIATION + 2 * DEVIATION * random.fraction());
}

export class Kv {
  /** Keys read. */
  reads = 0;
  private readonly world: World;
  private readonly random: Random;
  /** When a place, or a region, last had each key, in seconds. */
  private readonly places: readonly Map<number, number>[] = PLACES.map(() => new Map());
  private readonly regions = new Map(
    PLACES.map(({ region }) => [region, new Map<number, number>()]),
  );

  constructor(world: World, seed: number) {
    this.world = world;
    this.random = new Random(seed, 2);
  }

  /** Milliseconds of a read of a value that is never written again. */
  readObject(place: number, key: number, now: number): number {
    return this.read(place, key, now, this.world.cacheHours * HOUR, true);
  }

  /** Milliseconds of a read of a value that may be kept for a short while only. */
  readShort(place: number, key: number, now: number): number {
    return this.read(place, key, now, SHORT_LIFE, false);
  }

  /** @param renews whether a use makes it stay longer */
  private read(place: number, key: number, now: number, life: number, renews: boolean): number {
    this.reads++;
    const { kvHot, kvRegional, kvCentral } = this.world;
    const here = this.places[place] as Map<number, number>;
    const near = this.regions.get((PLACES[place] as (typeof PLACES)[number]).region) ?? here;
    const isFresh = (held: Map<number, number>) =>
      now - (held.get(key) ?? Number.NEGATIVE_INFINITY) <= life;
    if (isFresh(here)) {
      if (renews) here.set(key, now);
      return drawDelay(kvHot, this.world, this.random);
    }
    const isNear = isFresh(near);
    here.set(key, now);
    if (renews || !isNear) near.set(key, now);
    return drawDelay(isNear ? kvRegional : kvCentral, this.world, this.random);
  }
}
