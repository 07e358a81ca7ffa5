/** A publication as `snapshot publish` makes it, with its guards, into any target. */
import type { CompiledRelease } from '../../scripts/build/compiled-release.ts';
import { SILENT_PROGRESS } from '../../scripts/cli/progress.ts';
import { concludePublication } from '../../scripts/commands/publish-outcome.ts';
import {
  type GuardedOptions,
  type GuardedPublication,
  publishGuarded,
} from '../../scripts/guards/guarded-publication.ts';
import type { SnapshotTarget } from '../../scripts/storage/key-value-store.ts';

const { signal } = new AbortController();

/** @param remark is told what people are */
export async function publishAsJob(
  compiled: CompiledRelease,
  target: SnapshotTarget,
  more: Partial<GuardedOptions> = {},
  remark: (text: string) => void = () => {},
): Promise<GuardedPublication> {
  const order = {
    signature: { by: 'job', note: null },
    allow: new Map<string, number>(),
    ...{ force: false, dryRun: false, afresh: false, beginLog: false },
    replacesAll: async () => false,
    onCost: () => {},
    ...more,
  };
  const context = { json: false, progress: SILENT_PROGRESS, signal, remark };
  return concludePublication({ env: 'development' }, context, (begin) =>
    begin(target, compiled.manifest.release, () =>
      publishGuarded(compiled, target, order, context),
    ),
  );
}
