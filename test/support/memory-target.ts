/** A snapshot target in maps that does what tests tell it to. */

import type { Clock } from '../../scripts/cli/pace.ts';
import type { CommandContext } from '../../scripts/cli/run-command.ts';
import type { Decision } from '../../scripts/release/log-entry.ts';
import type { KvStore, Ledger, SnapshotTarget } from '../../scripts/storage/key-value-store.ts';
import { FORMAT_VERSION, LOG_PREFIX, POINTER_KEY } from '../../src/snapshot/keys.ts';
import type { Pointer } from '../../src/snapshot/manifest.ts';
import { commandContext } from './command-context.ts';
import { decodePointer, GENERATION, TEST_LOG } from './stores/memory-snapshot.ts';

export class MemoryTarget implements SnapshotTarget {
  /** Values of what Workers read. */
  readonly values = new Map<string, Uint8Array>();
  /** Values of the ledger, with when they were put. */
  readonly ledgerValues = new Map<string, { bytes: Uint8Array; storedAt: number }>();
  /** Keys written and deleted, in order, in either of the two. */
  readonly writes: string[] = [];
  /** Whether the power is out when this key is to be written. */
  isOut: (key: string) => boolean = () => false;
  /** Asked before each write; throws to keep it from happening. */
  beforeWrite: (key: string) => void = () => {};
  /** What is stored of bytes written; null loses them. */
  storing: (key: string, bytes: Uint8Array) => Uint8Array | null = (_key, bytes) => bytes;
  /** What time it is by the clock of the storage. */
  time = Date.parse('2026-01-01T00:00:00Z');
  readonly objects = memoryStore(this);
  readonly ledger = memoryLedger(this);
  readonly site = { environment: 'development', place: 'kv of a test' };
  readonly readersWait = 120_000;
  /** A test may have its own in its place. */
  context: CommandContext = commandContext();
  /** Waits for nothing, and lets the time pass. */
  readonly clock: Clock = {
    now: () => this.time,
    sleep: async (milliseconds, signal) => {
      signal?.throwIfAborted();
      this.time += milliseconds;
    },
  };

  /** Another target, which holds and has written the same so far, at the same time. */
  fork(): MemoryTarget {
    const other = new MemoryTarget();
    for (const [key, bytes] of this.values) other.values.set(key, bytes);
    for (const [key, value] of this.ledgerValues) other.ledgerValues.set(key, value);
    other.writes.push(...this.writes);
    other.time = this.time;
    return other;
  }

  /** Does `work` once, right before the next entry of the log is made. */
  meanwhile(work: () => Promise<unknown>): void {
    const { ledger } = this;
    const create = ledger.create.bind(ledger);
    ledger.create = async (...entry) => {
      ledger.create = create;
      await work();
      return create(...entry);
    };
  }

  /** Keys written and deleted that say what is live: the log and the pointer. */
  get decisions(): string[] {
    return this.writes.filter((key) => key === POINTER_KEY || key.startsWith(LOG_PREFIX));
  }

  /** The pointer that is there; null when there is none. */
  get pointer(): Pointer | null {
    return decodePointer(this.values.get(POINTER_KEY));
  }

  /** Lets a write or a deletion through. */
  pass(key: string): void {
    if (this.isOut(key)) throw new Error('the power is out');
    this.beforeWrite(key);
    this.writes.push(key);
  }
}

function memoryStore(target: MemoryTarget): KvStore {
  const { values } = target;
  return {
    lateness: 0,
    async *list(prefix) {
      for (const [key, { length }] of [...values]) {
        if (key.startsWith(prefix)) yield { key, bytes: length };
      }
    },
    get: async (key) => values.get(key) ?? null,
    async put(key, bytes) {
      target.pass(key);
      const stored = target.storing(key, bytes.slice());
      if (stored) values.set(key, stored);
    },
    async delete(key) {
      target.pass(key);
      values.delete(key);
    },
    now: () => target.time,
  };
}

function memoryLedger(target: MemoryTarget): Ledger {
  const { ledgerValues } = target;
  const put = async (key: string, bytes: Uint8Array) => {
    target.pass(key);
    const stored = target.storing(key, bytes.slice());
    if (stored) ledgerValues.set(key, { bytes: stored, storedAt: target.time });
  };
  return {
    lateness: 0,
    async *list(prefix) {
      const found = [...ledgerValues].sort(([a], [b]) => (a < b ? -1 : 1));
      for (const [key, { bytes, storedAt }] of found) {
        if (key.startsWith(prefix)) yield { key, bytes: bytes.length, storedAt };
      }
    },
    get: async (key) => ledgerValues.get(key)?.bytes ?? null,
    put,
    async create(key, bytes) {
      if (ledgerValues.has(key)) return false;
      await put(key, bytes);
      return true;
    },
    async delete(key) {
      target.pass(key);
      ledgerValues.delete(key);
    },
    now: async () => target.time,
  };
}

/** The publication of such a release, as it is in the log. */
export function entryTo(release: string, day: number): Decision {
  const own = { kind: 'publish', by: 'tester', newest: GENERATION } as const;
  const none = { note: null, back: null, hold: null, accepted: [] };
  return { ...pointerTo(release, day), ...own, ...none };
}

/** A pointer to a release of no stores as of `day` of January 2026, the first one. */
export function pointerTo(release: string, day: number): Pointer {
  const none = { storeCount: 0, locationCount: 0, chunkCount: 0, chunkBytes: 0, parts: {} };
  const format = FORMAT_VERSION;
  const manifest = { format, release, generation: GENERATION, ...none } as const;
  const publishedAt = new Date(Date.UTC(2026, 0, day)).toISOString();
  return { format, log: TEST_LOG, number: 1, manifest, publishedAt, before: null };
}
