/**
 * One client of the stand-in for KV: how long its reads take, and what it has read. Every isolate
 * under test has a lane of its own, so that samples neither wait for each other nor are mixed up.
 */
import { crc32 } from 'node:zlib';
import PQueue from 'p-queue';
import { Random } from '../../fixtures/generator/random.ts';
import {
  DEVIATION,
  INSTANT,
  KEY_KINDS,
  type KeyKind,
  type LaneReport,
  type LaneSettings,
  SLOW_FACTOR,
} from './protocol.ts';

export class Lane {
  /** Single reads, of which so many are under way at once as the settings say. */
  readonly singles = new PQueue();
  private settings = INSTANT;
  private counts = newCounts();
  /** How often each key was read. */
  private times = new Map<string, number>();

  /** What was read since the lane was restarted. */
  get report(): LaneReport {
    return this.counts;
  }

  /** Changes how reads behave, and begins to count anew. */
  restart(settings: LaneSettings): void {
    this.settings = settings;
    this.singles.concurrency = settings.singlesAtOnce;
    this.counts = newCounts();
    this.times = new Map();
  }

  /** Counts a read of `key` and draws how many milliseconds it takes. */
  drawDelay(kind: KeyKind, key: string): number {
    const time = (this.times.get(key) ?? 0) + 1;
    this.times.set(key, time);
    this.counts[kind].reads++;
    if (time === 1) this.counts[kind].keys++;
    const { latency, slowShare, seed } = this.settings;
    if (latency === 0) return 0;
    // By key and not by turn: equal requests meet equal delays, in any order of their reads.
    const random = new Random(seed, crc32(`${key} ${time}`));
    if (random.chance(slowShare)) return SLOW_FACTOR * latency;
    return latency * (1 - DEVIATION + 2 * DEVIATION * random.fraction());
  }

  countBytes(kind: KeyKind, bytes: number): void {
    this.counts[kind].bytes += bytes;
  }
}

function newCounts(): LaneReport {
  const counts = KEY_KINDS.map((kind) => [kind, { reads: 0, keys: 0, bytes: 0 }]);
  return Object.fromEntries(counts);
}
