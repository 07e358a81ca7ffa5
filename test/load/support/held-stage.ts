/** A Worker with forty published stores and nothing in memory yet, whose reads a test holds. */
import { reset } from 'cloudflare:test';
import { vi } from 'vitest';
import { buildStore } from '../../support/stores/store-builder.ts';
import { issueToken, openStage, publishStores } from '../../support/worker/harness.ts';
import { HeldStorage, standStill } from '../../support/worker/held-storage.ts';

export const LIST = '/v2/external/stores';
export const STORES = Array.from({ length: 40 }, (_, index) => buildStore(index + 1));

export type HeldStage = Awaited<ReturnType<typeof openHeldStage>>;

/** Opens a stage whose log is caught, and whose clock stands still. @param replaced bindings beside those of storage */
export async function openHeldStage(
  replaced: Partial<Env> = {},
  holder: Parameters<typeof issueToken>[0] = {},
) {
  standStill();
  const log = vi.spyOn(console, 'log');
  const manifest = await publishStores(STORES);
  const token = await issueToken(holder);
  const storage = new HeldStorage(manifest);
  return { storage, stage: openStage({ ...storage.env, ...replaced }), token, manifest, log };
}

/** Ends the reads that are still held, and puts time, log and storage back as they were. */
export async function closeHeldStage({ storage }: HeldStage): Promise<void> {
  vi.useRealTimers();
  storage.letGo();
  await reset();
}
