/** Stores that changed, and what a comparison says of them. */
import { type ReleaseReader, readRelease } from '../../../scripts/build/release-reader.ts';
import type { SourceStore } from '../../../scripts/compile/source-store.ts';
import { diffReleases, readChanges } from '../../../scripts/diff/compare-releases.ts';
import { type DetailedChange, describeChange } from '../../../scripts/diff/describe-diff.ts';
import { commandContext } from '../../support/command-context.ts';
import { compileStores } from '../../support/stores/compiled-stores.ts';
import { buildStore } from '../../support/stores/store-builder.ts';

export const WATCH = commandContext();

/** Compares two releases, and looks at every changed store; null stands for nothing live. */
export async function diffAll(live: ReleaseReader | null, next: ReleaseReader) {
  const diff = await diffReleases(live, next);
  const seen: DetailedChange[] = [];
  for await (const change of readChanges(diff, live, next, diff.changed, WATCH)) {
    seen.push(describeChange(change));
  }
  return { ...diff, seen };
}

/** Compiles both exports and compares them, store by store; null stands for nothing live. */
export async function diffOf(live: SourceStore[] | null, next: SourceStore[]) {
  const read = async (stores: SourceStore[]) => readRelease(await compileStores(stores));
  return diffAll(live && (await read(live)), await read(next));
}

/** Store 1 under another name. */
export const named = (name: string) => buildStore(1, { 'profile.name': name });
