import { beforeEach, describe, expect, it } from 'vitest';
import { SILENT_PROGRESS } from '../../scripts/cli/progress.ts';
import type { CommandContext } from '../../scripts/cli/run-command.ts';
import { type ReviewOptions, reviewChange } from '../../scripts/guards/review-change.ts';
import { readLog } from '../../scripts/release/open-log.ts';
import { publishRelease } from '../../scripts/release/publish-release.ts';
import { MemoryTarget } from '../support/memory-target.ts';
import { liveKey } from '../support/publish-stage.ts';
import {
  type CompiledStores,
  compileStores,
  dayOfJanuary,
  publishOptions,
  publishStores,
  storesFrom,
} from '../support/stores/compiled-stores.ts';

const LIMITS: ReviewOptions = {
  allowed: new Map(),
  now: dayOfJanuary(1).getTime(),
  force: false,
};

const { signal } = new AbortController();

function watched(): CommandContext & { readonly remarks: string[] } {
  const remarks: string[] = [];
  const remark = (text: string) => void remarks.push(text);
  return { json: false, progress: SILENT_PROGRESS, signal, remark, remarks };
}

/** Reviews `next` against what is live now. */
const reviewNow = async (
  target: MemoryTarget,
  next: CompiledStores,
  options: ReviewOptions,
  context: CommandContext,
) => reviewChange(next, await readLog(target), options, context);

describe('a review', () => {
  let target: MemoryTarget;

  beforeEach(async () => {
    target = new MemoryTarget();
    await publishStores(target, storesFrom(1, 40), 1);
    target.writes.length = 0;
  });

  it.each(['ids', 'compared', 'figures', 'chunks', 'documents'])(
    'cannot compare with a live release without its %s, which only force replaces',
    async (what) => {
      const live = await compileStores(storesFrom(1, 40));
      const { manifest, objects } = live;
      const parts = Object.values(manifest.parts).map(({ hash }) => hash);
      const documents = [...objects.keys()].filter((hash) => !parts.includes(hash));
      const part = manifest.parts[what]?.hash;
      const lost = part === undefined ? documents : [part];
      for (const hash of lost) target.values.delete(liveKey(target, hash));
      const renamed = storesFrom(1, 40).map((store) => ({ ...store, slug: `${store.slug}-b` }));
      const next = await compileStores(renamed);
      await expect(reviewNow(target, next, LIMITS, watched())).rejects.toMatchObject({
        code: 'live_unreadable',
      });
      const context = watched();
      const { diff } = await reviewNow(target, next, { ...LIMITS, force: true }, context);
      expect(diff).toBeNull();
      expect(context.remarks).toEqual(['The live release cannot be read: nothing compared']);
      // The same stores afresh heal it, and need no force.
      await reviewNow(target, live, LIMITS, watched());
      await publishRelease(live, target, publishOptions({ afresh: true }));
      const again = await reviewNow(target, next, { ...LIMITS, force: true }, watched());
      expect(again.diff?.changed).toBe(40);
    },
  );
});
