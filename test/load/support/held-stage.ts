/** A Worker with forty published stores and nothing in memory yet, whose reads a test holds. */
import { reset } from 'cloudflare:test';
import { type MockInstance, vi } from 'vitest';
import type { Manifest } from '../../../src/snapshot/manifest.ts';
import { buildStore } from '../../support/stores/store-builder.ts';
import { issueToken, openStage, publishStores, type Stage } from '../../support/worker/harness.ts';
import { HeldStorage, standStill } from '../../support/worker/held-storage.ts';

export const LIST = '/v2/external/stores';
export const STORES = Array.from({ length: 40 }, (_, index) => buildStore(index + 1));

export interface HeldStage {
  readonly storage: HeldStorage;
  readonly stage: Stage;
  readonly token: string;
  readonly manifest: Manifest;
  readonly log: MockInstance<typeof console.log>;
}

/** Opens a stage whose log is caught, and whose clock stands still. @param replaced bindings beside those of storage */
export async function openHeldStage(
  replaced: Partial<Env> = {},
  holder: Parameters<typeof issueToken>[0] = {},
): Promise<HeldStage> {
  standStill();
  const log = vi.spyOn(console, 'log').mockImplementation(() => {});
  vi.spyOn(console, 'error').mockImplementation(() => {});
  const manifest = await publishStores(STORES);
  const token = await issueToken(holder);
  const storage = new HeldStorage(manifest);
  return { storage, stage: openStage({ ...storage.env, ...replaced }), token, manifest, log };
}

/** Ends the reads that are still held, and puts time, log and storage back as they were. */
export async function closeHeldStage({ storage }: HeldStage): Promise<void> {
  vi.useRealTimers();
  storage.letGo();
  vi.restoreAllMocks();
  await reset();
}
