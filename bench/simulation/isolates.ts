/** The isolates of all places: each lives for a while, then a fresh one takes its place. */
import { Random } from '../../fixtures/generator/random.ts';
import type { Arrival } from './arrivals.ts';
import type { World } from './world.ts';

const MINUTE = 60;

/** An isolate of 17.5 minutes on average lives from 5 to 30. */
const SHORTEST = 5 / 17.5;
const LONGEST = 30 / 17.5;

export interface Isolate {
  /** Seconds of the day at which it ends. */
  readonly end: number;
  readonly tokens: Set<number>;
  readonly parts: Set<number>;
  /** Chunks, from the one used longest ago. */
  readonly chunks: Set<number>;
  /** When it last looked at the pointer. */
  pointerAt: number;
  release: number;
}

export class Isolates {
  private readonly world: World;
  private readonly random: Random;
  private readonly running = new Map<number, Isolate>();

  constructor(world: World, seed: number) {
    this.world = world;
    this.random = new Random(seed, 3);
  }

  /** The one that gets a request, and whether it is its first. */
  of({ at, place, isolate }: Arrival, release: number): { isolate: Isolate; isFirst: boolean } {
    const slot = place * this.world.isolates + isolate;
    const known = this.running.get(slot);
    if (known && at < known.end) return { isolate: known, isFirst: false };
    const minutes =
      this.world.isolateLife * (SHORTEST + (LONGEST - SHORTEST) * this.random.fraction());
    const fresh: Isolate = {
      end: at + MINUTE * minutes,
      ...{ tokens: new Set(), parts: new Set(), chunks: new Set() },
      ...{ pointerAt: at, release },
    };
    this.running.set(slot, fresh);
    return { isolate: fresh, isFirst: true };
  }
}
