/** Compiled and published releases of stores in memory, for tests of what happens to them later. */
import { SILENT_PROGRESS } from '../../scripts/cli/progress.ts';
import type { CompiledRelease } from '../../scripts/release/compiled-release.ts';
import { type PublishOptions, publishRelease } from '../../scripts/release/publish-release.ts';
import type { SnapshotTarget } from '../../scripts/storage/key-value-store.ts';
import { compileRelease } from '../../src/compile/compile-release.ts';
import { MemorySink, MemorySpool } from '../../src/compile/release-output.ts';
import type { SourceStore } from '../../src/model/source-store.ts';
import { FORMAT_VERSION } from '../../src/snapshot/keys.ts';
import type { LiveRelease, Pointer } from '../../src/snapshot/manifest.ts';
import { buildStore } from '../shared/store-builder.ts';

export interface CompiledStores extends CompiledRelease {
  /** Bytes by hash; what a test takes away from here, the release lacks. */
  readonly objects: Map<string, Uint8Array>;
}

export async function compileStores(stores: Iterable<SourceStore>): Promise<CompiledStores> {
  const sink = new MemorySink();
  const manifest = await compileRelease(stores, { spool: new MemorySpool(), sink });
  const readObject = async (hash: string) => sink.objects.get(hash) ?? null;
  return { manifest, readObject, objects: sink.objects };
}

/** Stores `from` to `to`, both included. */
export function storesFrom(from: number, to: number): SourceStore[] {
  return Array.from({ length: to - from + 1 }, (_, index) => buildStore(from + index));
}

/** Compiles and publishes stores as of `day` of January 2026 and returns the id of the release. */
export async function publishStores(
  target: SnapshotTarget,
  stores: Iterable<SourceStore>,
  day: number,
): Promise<string> {
  const compiled = await compileStores(stores);
  return (await publishRelease(compiled, target, publishOptions(day))).release;
}

/** Options of a publication on `day` of January 2026. */
export function publishOptions(day: number, more: Partial<PublishOptions> = {}): PublishOptions {
  const options = { author: `author ${day}`, now: dayOfJanuary(day), progress: SILENT_PROGRESS };
  return { ...options, ...more };
}

/** A release of no stores as of `day` of January 2026. */
export function emptyRelease(release: string, day: number): LiveRelease {
  const none = { storeCount: 0, locationCount: 0, chunkCount: 0, chunkBytes: 0, parts: {} };
  const manifest = { format: FORMAT_VERSION, release, ...none } as const;
  return { manifest, publishedAt: dayOfJanuary(day).toISOString() };
}

/** A pointer to it, the first one. */
export function pointerTo(release: string, day: number): Pointer {
  return { format: FORMAT_VERSION, number: 1, ...emptyRelease(release, day), before: null };
}

export function dayOfJanuary(day: number): Date {
  return new Date(Date.UTC(2026, 0, day));
}
