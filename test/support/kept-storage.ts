/**
 * Keeps local storage open from one call of a tool to the next: wrangler's platform, the real one,
 * of which each call would otherwise start and end another process. A platform counts as open until
 * who asked for it has disposed of it, and cannot be used afterwards: a command that forgets to, or goes
 * on reading, is still found out.
 */
import { afterAll, vi } from 'vitest';
import type { getPlatformProxy } from 'wrangler';
import type { PlatformBindings } from '../../scripts/cli/platform.ts';
import { deleteAll, listKeys, type SnapshotTarget } from '../../scripts/storage/key-value-store.ts';
import { LocalKv, LocalR2 } from '../../scripts/storage/local-storage.ts';
import { openTarget } from '../../scripts/storage/open-target.ts';
import type { Environment } from '../../src/auth/token.ts';
import { commandContext } from './command-context.ts';
import { temporaryFolder } from './temporary-folder.ts';

type Open = (options: Options) => Promise<PlatformProxy>;
type Options = NonNullable<Parameters<typeof getPlatformProxy>[0]>;
type PlatformProxy = Awaited<ReturnType<typeof getPlatformProxy>>;

/** Platforms of one folder, by environment: tests leave a folder for good when they turn to another. */
const kept = new Map<string, Promise<PlatformProxy>>();
let folder: string | undefined;
let open = 0;

/** How many processes run for storage that is only kept, less those in use. */
export function idleStorage(): number {
  return kept.size - open;
}

/** Deletes everything that the kept storage holds, which the next test then finds as if it were new. */
export async function emptyStorage(): Promise<void> {
  for (const platform of kept.values()) {
    const { SNAPSHOTS, TOKENS, SNAPSHOT_BUCKET } = (await platform).env as PlatformBindings;
    const stores = [new LocalKv(SNAPSHOTS), new LocalKv(TOKENS), new LocalR2(SNAPSHOT_BUCKET)];
    for (const store of stores) await deleteAll(store, await listKeys(store, ''));
  }
}

/** Ends what is kept. */
async function endStorage(): Promise<void> {
  const all = [...kept.values()];
  kept.clear();
  for (const platform of all) await (await platform).dispose();
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

async function borrow(options: Options, start: Open): Promise<PlatformProxy> {
  const path = folderOf(options);
  if (path !== folder) await endStorage();
  folder = path;
  const name = options.environment ?? '';
  const platform = kept.get(name) ?? start(options);
  kept.set(name, platform);
  const proxy = await platform.catch((error) => {
    kept.delete(name);
    throw error;
  });
  open++;
  const { env, revoke } = lend(proxy.env);
  const dispose = async () => {
    open--;
    revoke();
  };
  return { ...proxy, env, dispose };
}

/** Returns bindings that throw when they are used after `revoke`. */
function lend(bindings: PlatformProxy['env']) {
  const revokes: (() => void)[] = [];
  const env = Object.fromEntries(
    Object.entries(bindings as Record<string, unknown>).map(([name, binding]) => {
      if (typeof binding !== 'object' || binding === null) return [name, binding];
      const { proxy, revoke } = Proxy.revocable(binding, {});
      revokes.push(revoke);
      return [name, proxy];
    }),
  );
  return { env, revoke: () => revokes.forEach((revoke) => void revoke()) };
}

function folderOf({ persist }: Options): string {
  if (typeof persist !== 'object') throw new Error('expected a folder for storage');
  return persist.path;
}

vi.doMock('wrangler', async (importOriginal) => {
  const wrangler = await importOriginal<{ getPlatformProxy: Open }>();
  return {
    ...wrangler,
    getPlatformProxy: (options: Options) => borrow(options, wrangler.getPlatformProxy),
  };
});

afterAll(endStorage);
