/** A purge that stops half-way: what it says, and that another one ends the work. */
import { describe, expect, it } from 'vitest';
import { describeError, InterruptedError } from '../../scripts/cli/describe-error.ts';
import { SILENT_PROGRESS } from '../../scripts/cli/progress.ts';
import { listGenerations } from '../../scripts/release/objects.ts';
import { purgeReleases } from '../../scripts/release/purge.ts';
import { POINTER_KEY, RELEASE_PREFIX } from '../../src/snapshot/keys.ts';
import type { MemoryTarget } from '../support/memory-target.ts';
import { useFiveReleases } from './support/five-releases.ts';

const five = useFiveReleases();

const purge = (target: MemoryTarget, more: { signal?: AbortSignal; onWait?: () => void } = {}) =>
  purgeReleases(target, {
    signature: { by: 'ops', note: null },
    progress: SILENT_PROGRESS,
    ...more,
  });

/** What a command that fails with this error ends with. */
const failure = (work: Promise<unknown>) => work.then(() => null, describeError);

/** Nothing is left but what is live. */
async function expectPurged(target: MemoryTarget): Promise<void> {
  expect((await listGenerations(target.objects)).size).toBe(1);
  const names = [...target.values.keys()].filter((key) => key.startsWith(RELEASE_PREFIX));
  expect(names).toEqual([`${RELEASE_PREFIX}${target.pointer?.number}-${five.release(5)}`]);
  expect(target.pointer?.before).toBeNull();
  expect(await five.servedStores()).toBe(21);
}

describe('a purge', () => {
  it('that is interrupted before it has decided has purged nothing', async () => {
    const signal = AbortSignal.abort(new InterruptedError());
    const outcome = await failure(purge(five.target, { signal }));
    expect(outcome).toMatchObject({ exitCode: 130, code: 'interrupted', message: 'interrupted' });
    expect(five.target.decisions).toEqual([]);
  });

  it('that is interrupted while it waits says that it is to be run again', async () => {
    const { target } = five;
    const interruption = new AbortController();
    const { signal } = interruption;
    const clock = {
      ...target.clock,
      sleep: async (_milliseconds: number, heard?: AbortSignal) => heard?.throwIfAborted(),
    };
    const onWait = () => interruption.abort(new InterruptedError());
    const stopped = purge(Object.assign(target, { clock }), { signal, onWait });
    expect(await failure(stopped)).toMatchObject({
      exitCode: 130,
      code: 'interrupted',
      message: expect.stringMatching(/^interrupted: release 6-\w+ is live .* run purge again$/),
      details: { unfinished: true },
    });
    expect((await listGenerations(target.objects)).size).toBe(2);
    target.time += 10_000;
    await purge(target);
    await expectPurged(target);
  });

  it.each([
    ['cannot write the pointer', (key: string) => key === POINTER_KEY, 'pointer to it could not'],
    ['cannot delete', (key: string) => key.startsWith(`${RELEASE_PREFIX}1-`), 'KV is away'],
  ])('that %s says why, and that it is to be run again', async (_what, fails, reason) => {
    const { target } = five;
    target.beforeWrite = (key) => {
      if (fails(key)) throw new Error('KV is away');
    };
    const outcome = await failure(purge(target));
    expect(outcome).toMatchObject({ exitCode: 1, code: 'purge_unfinished' });
    expect(outcome?.message).toContain(reason);
    expect(outcome?.message).toMatch(/; run purge again$/);
    target.beforeWrite = () => {};
    target.time += 10_000;
    await purge(target);
    await expectPurged(target);
  });
});
