/** Compiled and published releases of stores in memory, for tests of what happens to them later. */
import { createHash } from 'node:crypto';
import { type CompiledRelease, readRelease } from '../../../scripts/build/release-reader.ts';
import { spoolRecords, writeRelease } from '../../../scripts/compile/compile-release.ts';
import type { SourceStore } from '../../../scripts/compile/source-store.ts';
import type { StoreFacts } from '../../../scripts/compile/store-facts.ts';
import { openLog } from '../../../scripts/release/open-log.ts';
import {
  type Publication,
  type PublishOptions,
  putLive,
  refuseHeld,
} from '../../../scripts/release/publish-release.ts';
import type { SnapshotTarget } from '../../../scripts/storage/key-value-store.ts';
import type { ObjectRef } from '../../../src/snapshot/manifest.ts';
import type { MemoryTarget } from '../memory-target.ts';
import { memoryOutput } from './memory-snapshot.ts';
import { buildStore } from './store-builder.ts';

export interface CompiledStores extends CompiledRelease {
  /** Bytes by hash; what a test takes away from here, the release lacks. */
  readonly objects: Map<string, Uint8Array>;
}

/** At once: to wait for another thread takes longer. */
const hash = (bytes: Uint8Array): Uint8Array => createHash('sha256').update(bytes).digest();

export function compileStores(stores: Iterable<SourceStore>): Promise<CompiledStores> {
  return new ReleaseSeries().compile([...stores]);
}

/** Compiles one release after another of which each has most of its stores from the one before. */
export class ReleaseSeries {
  private readonly spool = memoryOutput().spool;
  private readonly facts = new Map<SourceStore, StoreFacts>();

  /** @param stores what was in an earlier release, the same object, is not compiled again */
  async compile(stores: readonly SourceStore[]): Promise<CompiledStores> {
    const { put, objects } = memoryOutput();
    const io = { spool: this.spool, put, hash };
    const fresh = stores.filter((store) => !this.facts.has(store));
    for (const [index, facts] of (await spoolRecords(fresh, io)).entries()) {
      this.facts.set(fresh[index] as SourceStore, facts);
    }
    const all = stores.map((store) => this.facts.get(store) as StoreFacts);
    const manifest = await writeRelease(all, io);
    const readObjects = async (refs: readonly ObjectRef[]) =>
      refs.map(({ hash }) => objects.get(hash) ?? null);
    return { manifest, readObjects, objects };
  }
}

/** Stores `from` to `to`, both included. */
export function storesFrom(from: number, to: number): SourceStore[] {
  return Array.from({ length: to - from + 1 }, (_, index) => buildStore(from + index));
}

/** Compiles and publishes stores as of `day` of January 2026 and returns the id of the release. */
export async function publishStores(
  target: MemoryTarget,
  stores: Iterable<SourceStore>,
  day: number,
  more: Partial<PublishOptions> = {},
): Promise<string> {
  return (await publishCompiled(target, await compileStores(stores), day, more)).release;
}

/** Publishes what is compiled already, as of `day` of January 2026. */
export async function publishCompiled(
  target: MemoryTarget,
  compiled: CompiledRelease,
  day: number,
  more: Partial<PublishOptions> = {},
): Promise<Publication> {
  target.time = dayOfJanuary(day).getTime();
  return publishRelease(compiled, target, more);
}

/** Publishes as `snapshot publish` does, without its guards. */
export async function publishRelease(
  compiled: CompiledRelease,
  target: SnapshotTarget,
  more: Partial<PublishOptions> = {},
): Promise<Publication> {
  const options = { signature: { by: 'tester', note: null }, ...more };
  const log = await openLog(target, options);
  refuseHeld(log.head);
  return putLive(readRelease(compiled, 'snapshot_damaged'), target, log, options);
}

export function dayOfJanuary(day: number): Date {
  return new Date(Date.UTC(2026, 0, day));
}
