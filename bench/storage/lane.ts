/**
 * One client of the stand-in for KV: how long its reads take, and what it has read. Every isolate
 * under test has a lane of its own, so that samples neither wait for each other nor are mixed up.
 */
import { Random } from '../../fixtures/generator/random.ts';
import {
  DEVIATION,
  INSTANT,
  type KeyKind,
  type KindCount,
  type LaneReport,
  type LaneSettings,
  SLOW_FACTOR,
} from './protocol.ts';

export class Lane {
  private settings = INSTANT;
  /** How often each key was read, by kind. */
  private reads = new Map<KeyKind, Map<string, number>>();
  private bytes = new Map<KeyKind, number>();
  private singles = 0;
  private readonly queue: (() => void)[] = [];

  /** Changes how reads behave, and begins to count anew. */
  restart(settings: LaneSettings): void {
    this.settings = settings;
    this.reads = new Map();
    this.bytes = new Map();
  }

  report(): LaneReport {
    const kinds: { [kind in KeyKind]?: KindCount } = {};
    for (const [kind, keys] of this.reads) {
      const reads = keys.values().reduce((sum, times) => sum + times, 0);
      kinds[kind] = { reads, keys: keys.size, bytes: this.bytes.get(kind) ?? 0 };
    }
    return kinds;
  }

  /** Counts a read of `key` and draws how many milliseconds it takes. */
  drawDelay(kind: KeyKind, key: string): number {
    const keys = this.reads.get(kind) ?? new Map<string, number>();
    this.reads.set(kind, keys);
    const time = (keys.get(key) ?? 0) + 1;
    keys.set(key, time);
    const { latency, slowShare, seed } = this.settings;
    if (latency === 0) return 0;
    // By key and not by turn: equal requests meet equal delays, in whatever order they read.
    const random = new Random(seed, hashText(`${key} ${time}`));
    if (random.chance(slowShare)) return SLOW_FACTOR * latency;
    return latency * (1 - DEVIATION + 2 * DEVIATION * random.fraction());
  }

  countBytes(kind: KeyKind, bytes: number): void {
    this.bytes.set(kind, (this.bytes.get(kind) ?? 0) + bytes);
  }

  /** Runs `read` as soon as fewer single reads are under way than may be at once. */
  async inTurn<Value>(read: () => Promise<Value>): Promise<Value> {
    if (this.singles >= this.settings.singlesAtOnce) {
      await new Promise<void>((resolve) => this.queue.push(resolve));
    } else this.singles++;
    try {
      return await read();
    } finally {
      // The next read in the queue takes over the place.
      const next = this.queue.shift();
      if (next) next();
      else this.singles--;
    }
  }
}

/** 32 bits of a text (FNV-1a). */
function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  }
  return hash >>> 0;
}
