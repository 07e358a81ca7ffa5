/** Compiled and published releases of stores in memory, for tests of what happens to them later. */
import { createHash } from 'node:crypto';
import { SILENT_PROGRESS } from '../../scripts/cli/progress.ts';
import type { CompiledRelease } from '../../scripts/release/compiled-release.ts';
import { type PublishOptions, publishRelease } from '../../scripts/release/publish-release.ts';
import { compileRelease } from '../../src/compile/compile-release.ts';
import { MemorySink, MemorySpool } from '../../src/compile/release-output.ts';
import type { SourceStore } from '../../src/model/source-store.ts';
import { buildStore } from '../shared/store-builder.ts';
import type { MemoryTarget } from './memory-target.ts';

export interface CompiledStores extends CompiledRelease {
  /** Bytes by hash; what a test takes away from here, the release lacks. */
  readonly objects: Map<string, Uint8Array>;
}

/** At once: to wait for another thread takes longer. */
const hash = (bytes: Uint8Array): Uint8Array => createHash('sha256').update(bytes).digest();

export async function compileStores(stores: Iterable<SourceStore>): Promise<CompiledStores> {
  const sink = new MemorySink();
  const manifest = await compileRelease(stores, { spool: new MemorySpool(), sink, hash });
  const readObject = async (hash: string) => sink.objects.get(hash) ?? null;
  return { manifest, readObject, objects: sink.objects };
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
  const compiled = await compileStores(stores);
  target.time = dayOfJanuary(day).getTime();
  return (await publishRelease(compiled, target, publishOptions(target, more))).release;
}

export function publishOptions(
  { clock }: Pick<MemoryTarget, 'clock'>,
  more: Partial<PublishOptions> = {},
): PublishOptions {
  const signature = { by: 'tester', note: null };
  return { signature, progress: SILENT_PROGRESS, clock, ...more };
}

export function dayOfJanuary(day: number): Date {
  return new Date(Date.UTC(2026, 0, day));
}
