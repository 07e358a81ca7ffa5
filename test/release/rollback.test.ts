/** Going back to a release that is kept, and forward again; log.test.ts has the order of it. */
import { describe, expect, it } from 'vitest';
import { InterruptedError } from '../../scripts/cli/command-error.ts';
import { parseReleaseId } from '../../scripts/cli/common-options.ts';
import { findDayAgo } from '../../scripts/guards/review-change.ts';
import { readEntries, readHead } from '../../scripts/release/log.ts';
import { judgeLog } from '../../scripts/release/log-entry.ts';
import { findRelease } from '../../scripts/release/roll-back.ts';
import { logKey } from '../../src/snapshot/keys.ts';
import { commandContext } from '../support/command-context.ts';
import { entryTo } from '../support/memory-target.ts';
import { liveKey } from '../support/publish-stage.ts';
import { publishRelease } from '../support/stores/compiled-stores.ts';
import { DAY, useFourteenReleases } from './support/fourteen-releases.ts';
import { goBack as goBackTo, purge, resume } from './support/operator.ts';

const stage = useFourteenReleases();
const { idOf, release } = stage;

function goBack(release?: string) {
  stage.target.time += 10_000;
  return goBackTo(stage.target, release);
}

describe('a rollback', () => {
  it('to what is live holds it, and writes nothing where it is held already', async () => {
    const { turned, entry } = await goBack(idOf(14));
    expect({ turned, kind: entry.kind }).toEqual({ turned: true, kind: 'hold' });
    expect(stage.target.pointer?.number).toBe(15);
    stage.target.writes.length = 0;
    expect((await goBack(idOf(14))).turned).toBe(false);
    expect(stage.target.decisions).not.toContain(logKey(16));
  });

  it('or a resume, a week later, does not exempt from guards what was accepted then', async () => {
    const { target } = stage;
    await publishRelease(release(1), target, { accepted: ['removed'] });
    target.time += 7 * DAY;
    await goBack(idOf(1));
    await resume(target);
    await publishRelease(release(2), target);
    const entries = await readEntries(target, await readHead(target.ledger));
    expect(findDayAgo(entries, target.time)).toMatchObject({ exempt: new Set() });
  });

  it.each([
    ['', goBackTo],
    ['or a resume ', resume],
    ['or a purge ', purge],
  ])('%sthat is interrupted before its entry decides nothing', async (_name, run) => {
    await goBack();
    stage.target.writes.length = 0;
    const signal = AbortSignal.abort(new InterruptedError());
    const watched = { ...stage.target, context: commandContext({ signal }) };
    const interrupted = { exitCode: 130, code: 'interrupted', message: 'interrupted' };
    await expect(run(watched)).rejects.toMatchObject(interrupted);
    expect(stage.target.decisions).toEqual([]);
  });

  it.each([
    ['', goBackTo],
    ['or a purge ', purge],
  ])('%sthat waits for objects ends as soon as it is interrupted', async (_name, run) => {
    const { target } = stage;
    for (const hash of stage.stored()) target.values.delete(liveKey(target, hash));
    Object.assign(target.objects, { lateness: 60_000 });
    const interruption = new AbortController();
    const { signal } = interruption;
    const remark = () => interruption.abort(new InterruptedError());
    target.context = commandContext({ signal, remark });
    await expect(run(target)).rejects.toThrow(InterruptedError);
    expect(target.writes).toEqual([]);
  });

  it('looks for every object first', async () => {
    const { objects } = release(13);
    const next = release(14);
    const hash = [...objects.keys()].find((each) => !next.objects.has(each)) ?? '';
    stage.target.values.delete(liveKey(stage.target, hash));
    await expect(goBack()).rejects.toMatchObject({
      code: 'release_incomplete',
      message: expect.stringContaining(
        `${idOf(13)} is no longer whole: 1 of its objects are gone, such as ${hash};`,
      ),
    });
    expect(stage.target.writes).toEqual([]);
  });

  it('that finds its release given up meanwhile has to choose anew', async () => {
    const { target } = stage;
    target.meanwhile(async () => {
      target.time += 9 * DAY;
      await publishRelease(release(1), target);
    });
    await expect(goBack(idOf(5))).rejects.toMatchObject({ code: 'release_unknown' });
    expect(target.pointer?.manifest.release).toBe(idOf(1));
  });
});

describe('a release that is kept', () => {
  /** The latest first, each in a generation of its own; all but the first one are kept. */
  const entries = (
    [
      [1234, 'cafe000000000001'],
      [9, '1234000000000001'],
      [8, 'abcd000000000002'],
      [7, 'abcd000000000001'],
      [2, 'abcd000000000001'],
      [1, 'dead000000000001'],
    ] as const
  ).map(([number, release]) => {
    const entry = entryTo(release, 1);
    return { ...entry, number, manifest: { ...entry.manifest, generation: `${number}` }, from: 0 };
  });
  const rule = { ...judgeLog([]), entries, kept: entries.slice(0, -1) };

  it.each([
    ['abcd000000000002', 8],
    ['8-abcd000000000002', 8],
    ['8-abcd', 8],
    ['8', 8],
    // Of one that lies in two generations it is the later.
    ['abcd000000000001', 7],
    ['123400', 9],
  ])('is found by what tells it apart: %s', (wanted, number) => {
    expect(findRelease(rule, wanted).number).toBe(number);
  });

  it.each([
    ['abcd', 'abcd is ambiguous: abcd000000000002, abcd000000000001'],
    ['1234', '1234 is ambiguous: cafe000000000001, 1234000000000001'],
    ['9-abcd000000000002', 'no release 9-abcd000000000002 is kept here'],
    ['ffffffffffffffff', 'no release ffffffffffffffff is kept here'],
    ['dead000000000001', 'no release dead000000000001 is kept here'],
    ['1', 'no release 1 is kept here'],
    ['999', 'no release 999 is kept here'],
  ])('is not found by %s', (wanted, message) => {
    expect(() => findRelease(rule, wanted)).toThrow(message);
  });

  it('is named by its id in any case or its number, and nothing else', () => {
    expect(parseReleaseId('00FFaa')).toBe('00ffaa');
    expect(parseReleaseId('12-00FFaa')).toBe('12-00ffaa');
    expect(parseReleaseId('3')).toBe('3');
    for (const text of ['abc', '0', '3-', 'xyzw', '0'.repeat(17), '', '0-00ffaa', '1-2-00ffaa']) {
      expect(() => parseReleaseId(text)).toThrow('Expected a release');
    }
  });
});
