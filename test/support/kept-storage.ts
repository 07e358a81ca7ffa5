/**
 * Keeps local storage open from one call of a tool to the next: wrangler's platform, the real one,
 * of which each call would otherwise start and end another process. A platform counts as open until
 * who asked for it has disposed of it, and cannot be used afterwards: a command that forgets to, or goes
 * on reading, is still found out.
 */
import type { KVNamespace, R2Bucket } from '@cloudflare/workers-types';
import { afterAll, vi } from 'vitest';
import type { getPlatformProxy } from 'wrangler';
import type { PlatformBindings } from '../../scripts/cli/platform.ts';
import { retryBusy } from '../../scripts/storage/local-storage.ts';

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
    await Promise.all([emptyKv(SNAPSHOTS), emptyKv(TOKENS), emptyR2(SNAPSHOT_BUCKET)]);
  }
}

async function emptyKv(namespace: KVNamespace): Promise<void> {
  for (;;) {
    const { keys } = await retryBusy(() => namespace.list());
    if (keys.length === 0) return;
    await Promise.all(keys.map(({ name }) => retryBusy(() => namespace.delete(name))));
  }
}

async function emptyR2(bucket: R2Bucket): Promise<void> {
  for (;;) {
    const { objects } = await retryBusy(() => bucket.list());
    if (objects.length === 0) return;
    await retryBusy(() => bucket.delete(objects.map(({ key }) => key)));
  }
}

/** Ends what is kept: before its folder is removed. */
export async function endStorage(): Promise<void> {
  const all = [...kept.values()];
  kept.clear();
  for (const platform of all) await (await platform).dispose();
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
