/** Stores that changed, and what a comparison says of them. */
import { readRelease } from '../../../scripts/build/release-reader.ts';
import { SILENT_PROGRESS } from '../../../scripts/cli/progress.ts';
import type { SourceStore } from '../../../scripts/compile/source-store.ts';
import {
  type DetailedChange,
  diffReleases,
  showDifference,
} from '../../../scripts/diff/diff-releases.ts';
import { compileStores } from '../../support/stores/compiled-stores.ts';
import { buildStore } from '../../support/stores/store-builder.ts';

/** Options of a comparison that looks at every store. */
export const COMPARE_ALL = {
  progress: SILENT_PROGRESS,
  signal: new AbortController().signal,
  maxRead: Number.POSITIVE_INFINITY,
};

/** Compiles both exports and compares them, store by store; null stands for nothing live. */
export async function diffOf(live: SourceStore[] | null, next: SourceStore[]) {
  const read = async (stores: SourceStore[]) => readRelease(await compileStores(stores));
  const before = live && (await read(live));
  const seen: DetailedChange[] = [];
  const diff = await diffReleases(before, await read(next), {
    ...COMPARE_ALL,
    onChanged: (store, { differences }) =>
      void seen.push({ ...store, values: differences.map(showDifference) }),
  });
  return { ...diff, seen };
}

/** Store 1 under another name. */
export function named(name: string): SourceStore {
  const store = buildStore(1);
  return { ...store, profile: { ...store.profile, name } };
}
