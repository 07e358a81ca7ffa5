/**
 * Keeps local storage open from one call of a tool to the next: the real one, of which each call would
 * otherwise start and end another process. It counts as open until
 * who asked for it has disposed of it, and cannot be used afterwards: a command that forgets to, or goes
 * on reading, is still found out.
 */
import type { Miniflare, MiniflareOptions } from 'miniflare';
import { afterAll, vi } from 'vitest';
import { deleteAll, listKeys, type SnapshotTarget } from '../../scripts/storage/key-value-store.ts';
import { LocalKv, LocalR2 } from '../../scripts/storage/local-storage.ts';
import { openTarget, type PlatformBindings } from '../../scripts/storage/open-target.ts';
import type { Environment } from '../../src/auth/token.ts';
import { commandContext } from './command-context.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** Storage of one folder, by environment: tests leave a folder for good when they turn to another. */
const kept = new Map<string, Miniflare>();
let folder: string | undefined;
let open = 0;

/** How many processes run for storage that is only kept, less those in use. */
export function idleStorage(): number {
  return kept.size - open;
}

/** Deletes everything that the kept storage holds, which the next test then finds as if it were new. */
export async function emptyStorage(): Promise<void> {
  for (const platform of kept.values()) {
    const { SNAPSHOTS, TOKENS, SNAPSHOT_BUCKET } = await platform.getBindings<PlatformBindings>();
    const stores = [new LocalKv(SNAPSHOTS), new LocalKv(TOKENS), new LocalR2(SNAPSHOT_BUCKET)];
    for (const store of stores) await deleteAll(store, await listKeys(store, ''));
  }
}

/** Ends what is kept. */
async function endStorage(): Promise<void> {
  const all = [...kept.values()];
  kept.clear();
  for (const platform of all) await platform.dispose();
}

/** Makes a folder for storage, which is removed once the storage has ended. */
export function storageFolder(): string {
  const path = temporaryFolder();
  afterAll(endStorage);
  return path;
}

/** Does something to the local storage of an environment, as a command opens it. */
export async function inStorage<T>(
  work: (target: SnapshotTarget) => Promise<T>,
  env: Environment = 'development',
): Promise<T> {
  await using target = await openTarget({ env }, commandContext());
  return await work(target);
}

/** Returns bindings of the storage that these options name, which is started if it is not kept. */
async function borrow(options: MiniflareOptions, start: () => Miniflare) {
  if (options.resourcePersistencePath !== folder) await endStorage();
  folder = options.resourcePersistencePath;
  // Names the environment, too.
  const name = JSON.stringify(options);
  const platform = kept.get(name) ?? start();
  kept.set(name, platform);
  const env = await platform.getBindings().catch((error) => {
    kept.delete(name);
    throw error;
  });
  open++;
  return lend(env);
}

/** Returns bindings that throw when they are used after `revoke`. */
function lend(bindings: Record<string, unknown>) {
  const revokes: (() => void)[] = [];
  const env = Object.fromEntries(
    Object.entries(bindings).map(([name, binding]) => {
      if (typeof binding !== 'object' || binding === null) return [name, binding];
      const { proxy, revoke } = Proxy.revocable(binding, {});
      revokes.push(revoke);
      return [name, proxy];
    }),
  );
  return { env, revoke: () => revokes.forEach((revoke) => void revoke()) };
}

vi.doMock('miniflare', async (importOriginal) => {
  const miniflare = await importOriginal<typeof import('miniflare')>();
  class KeptMiniflare {
    private readonly options: MiniflareOptions;
    private revoke = () => {};

    constructor(options: MiniflareOptions) {
      this.options = options;
    }

    async getBindings() {
      const { options } = this;
      const { env, revoke } = await borrow(options, () => new miniflare.Miniflare(options));
      this.revoke = revoke;
      return env;
    }

    async dispose() {
      open--;
      this.revoke();
    }
  }
  return { ...miniflare, Miniflare: KeptMiniflare };
});

afterAll(endStorage);
