/** A snapshot target in maps that does what tests tell it to. */

import type { Decision } from '../../scripts/release/log-entry.ts';
import type {
  KeyValueStore,
  Ledger,
  LedgerKey,
  SnapshotTarget,
  StoredKey,
} from '../../scripts/storage/key-value-store.ts';
import type { Clock } from '../../scripts/storage/pace.ts';
import { FORMAT_VERSION, LOG_PREFIX, POINTER_KEY } from '../../src/snapshot/keys.ts';
import type { Pointer } from '../../src/snapshot/manifest.ts';
import type { SnapshotSource } from '../../src/storage/snapshot-source.ts';
import { decodePointer, GENERATION, MemorySource, TEST_LOG } from './stores/memory-snapshot.ts';

export class MemoryTarget implements SnapshotTarget {
  /** Values of what Workers read. */
  readonly values = new Map<string, Uint8Array>();
  /** Values of the ledger, with when they were put. */
  readonly ledgerValues = new Map<string, { bytes: Uint8Array; storedAt: number }>();
  /** Keys written and deleted, in order, in either of the two. */
  readonly writes: string[] = [];
  /** Asked before each write; throws to keep it from happening. */
  beforeWrite: (key: string) => void = () => {};
  /** What is stored of bytes written; null loses them. */
  storing: (key: string, bytes: Uint8Array) => Uint8Array | null = (_key, bytes) => bytes;
  /** What time it is by the clock of the storage. */
  time = Date.parse('2026-01-01T00:00:00Z');
  readonly objects: KeyValueStore;
  readonly ledger: Ledger;
  readonly site = { environment: 'development', place: 'kv of a test' };
  readonly readersWait = 120_000;
  /** Waits for nothing, and lets the time pass. */
  readonly clock: Clock;

  constructor() {
    this.objects = new MemoryStore(this);
    this.ledger = new MemoryLedger(this);
    this.clock = {
      now: () => this.time,
      sleep: async (milliseconds, signal) => {
        signal?.throwIfAborted();
        this.time += milliseconds;
      },
      random: () => 0.5,
    };
  }

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

  /** What is stored of a write that is let through; undefined: nothing. */
  write(key: string, bytes: Uint8Array): Uint8Array | null {
    this.beforeWrite(key);
    this.writes.push(key);
    return this.storing(key, bytes.slice());
  }
}

class MemoryStore implements KeyValueStore {
  readonly lateness = 0;
  private readonly target: MemoryTarget;

  constructor(target: MemoryTarget) {
    this.target = target;
  }

  async *list(prefix: string): AsyncGenerator<StoredKey> {
    for (const [key, { length }] of [...this.target.values]) {
      if (key.startsWith(prefix)) yield { key, bytes: length };
    }
  }

  async get(key: string): Promise<Uint8Array | null> {
    return this.target.values.get(key) ?? null;
  }

  async put(key: string, bytes: Uint8Array): Promise<void> {
    const stored = this.target.write(key, bytes);
    if (stored) this.target.values.set(key, stored);
  }

  async delete(key: string): Promise<void> {
    this.target.beforeWrite(key);
    this.target.writes.push(key);
    this.target.values.delete(key);
  }
}

class MemoryLedger implements Ledger {
  readonly lateness = 0;
  private readonly target: MemoryTarget;

  constructor(target: MemoryTarget) {
    this.target = target;
  }

  async *list(prefix: string): AsyncGenerator<LedgerKey> {
    const found = [...this.target.ledgerValues].sort(([a], [b]) => (a < b ? -1 : 1));
    for (const [key, { bytes, storedAt }] of found) {
      if (key.startsWith(prefix)) yield { key, bytes: bytes.length, storedAt };
    }
  }

  async get(key: string): Promise<Uint8Array | null> {
    return this.target.ledgerValues.get(key)?.bytes ?? null;
  }

  async put(key: string, bytes: Uint8Array): Promise<void> {
    const stored = this.target.write(key, bytes);
    if (stored) this.target.ledgerValues.set(key, { bytes: stored, storedAt: this.target.time });
  }

  async create(key: string, bytes: Uint8Array): Promise<boolean> {
    if (this.target.ledgerValues.has(key)) return false;
    await this.put(key, bytes);
    return true;
  }

  async delete(key: string): Promise<void> {
    this.target.beforeWrite(key);
    this.target.writes.push(key);
    this.target.ledgerValues.delete(key);
  }

  async now(): Promise<number> {
    return this.target.time;
  }
}

/** A target as the Worker reads it. */
export const sourceOf = ({ values }: MemoryTarget): SnapshotSource => new MemorySource(values);

/** The publication of such a release, as it is in the log. */
export function entryTo(release: string, day: number): Decision {
  const own = { kind: 'publish', by: 'tester', newest: GENERATION } as const;
  const none = { note: null, back: null, hold: null, cost: null, accepted: [] };
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
