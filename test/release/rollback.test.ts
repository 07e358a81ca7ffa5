/** Going back to a release that is kept, and forward again; log.test.ts has the order of it. */
import { describe, expect, it } from 'vitest';
import { InterruptedError } from '../../scripts/cli/command-error.ts';
import { parseReleaseId } from '../../scripts/cli/common-options.ts';
import { SILENT_PROGRESS } from '../../scripts/cli/progress.ts';
import { purgeReleases } from '../../scripts/commands/purge.ts';
import { findDayAgo } from '../../scripts/guards/review-change.ts';
import type { LogEntry } from '../../scripts/release/log-entry.ts';
import { readLog } from '../../scripts/release/open-log.ts';
import { publishRelease } from '../../scripts/release/publish-release.ts';
import { findRelease, resumePublishing, rollBack } from '../../scripts/release/roll-back.ts';
import { logKey } from '../../src/snapshot/keys.ts';
import { liveKey } from '../support/publish-stage.ts';
import { publishCompiled, publishOptions } from '../support/stores/compiled-stores.ts';
import { DAY, useFourteenReleases } from './support/fourteen-releases.ts';
import { goBack as goBackTo, resume } from './support/operator.ts';

const stage = useFourteenReleases();
const { idOf, release } = stage;

const signature = { by: 'ops', note: null };

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
    await publishRelease(release(1), target, publishOptions({ accepted: ['removed'] }));
    target.time += 7 * DAY;
    await goBack(idOf(1));
    await resume(target);
    await publishRelease(release(2), target, publishOptions());
    const entries = await (await readLog(target)).entries();
    expect(findDayAgo(entries, target.time)).toMatchObject({ exempt: new Set() });
  });

  it('or a resume that is interrupted before its entry writes nothing', async () => {
    const signal = AbortSignal.abort(new InterruptedError());
    const order = { release: null, signature, signal };
    await expect(rollBack(stage.target, order)).rejects.toBe(signal.reason);
    expect(stage.target.writes).toEqual([]);
    await goBack();
    stage.target.writes.length = 0;
    await expect(resumePublishing(stage.target, order)).rejects.toBe(signal.reason);
    expect(stage.target.writes).toEqual([]);
  });

  it.each([
    ['', rollBack],
    ['or a purge ', purgeReleases],
  ])('%sthat waits for objects ends as soon as it is interrupted', async (_name, run) => {
    const { target } = stage;
    for (const hash of stage.stored()) target.values.delete(liveKey(target, hash));
    Object.assign(target.objects, { lateness: 60_000 });
    const interruption = new AbortController();
    const { signal } = interruption;
    Object.assign(target, { onWait: () => interruption.abort(new InterruptedError()) });
    const order = { release: null, signature, signal, progress: SILENT_PROGRESS };
    await expect(run(target, order)).rejects.toThrow(InterruptedError);
    expect(target.writes).toEqual([]);
  });

  it('looks for every object first', async () => {
    const { objects } = release(13);
    const next = release(14);
    const hash = [...objects.keys()].find((each) => !next.objects.has(each)) ?? '';
    stage.target.values.delete(liveKey(stage.target, hash));
    await expect(goBack()).rejects.toMatchObject({
      code: 'release_incomplete',
      details: { release: idOf(13), missing: [hash] },
    });
    expect(stage.target.writes).toEqual([]);
  });

  it('that finds its release given up meanwhile has to choose anew', async () => {
    const { target } = stage;
    target.meanwhile(async () => {
      target.time += 9 * DAY;
      await publishRelease(release(1), target, publishOptions());
    });
    await expect(goBack(idOf(5))).rejects.toMatchObject({ code: 'release_unknown' });
    expect(target.pointer?.manifest.release).toBe(idOf(1));
  });
});

describe('a release that is kept', () => {
  const kept = async () => (await readLog(stage.target)).rule();

  it('is found by its first digits or its name, if they tell it apart', async () => {
    const all = await kept();
    const found = findRelease(all, idOf(13).slice(0, 6));
    const { number } = found;
    expect(number).toBe(13);
    const twins = ['abcd000000000001', 'abcd000000000002'].map((release) => ({
      ...found,
      manifest: { ...found.manifest, release },
    }));
    expect(() => findRelease({ ...all, kept: twins }, 'abcd')).toThrow(
      'abcd is ambiguous: abcd000000000001, abcd000000000002',
    );
    expect(() => findRelease(all, 'ffffffffffffffff')).toThrow('no release ffffffffffffffff');
    for (const id of [idOf(13), idOf(13).slice(0, 6)]) {
      expect(findRelease(all, `${number}-${id}`)).toBe(found);
      expect(() => findRelease(all, `${number + 1}-${id}`)).toThrow(/^no release .* is kept here/);
    }
    expect(findRelease(all, String(number))).toBe(found);
    expect(() => findRelease(all, '999')).toThrow('no release 999 is kept here');
  });

  it('is found by digits as its number or the first of its id, if they are one of them', async () => {
    const all = await kept();
    const [first, second] = all.kept as [LogEntry, LogEntry];
    const numbered = { ...first, number: 1234 };
    const begun = { ...second, manifest: { ...second.manifest, release: '1234000000000001' } };
    const both = { ...all, entries: [numbered, begun], kept: [first, begun] };
    expect(() => findRelease(both, '1234')).toThrow('1234 is ambiguous: ');
    expect(findRelease(both, '123400')).toBe(begun);
    expect(findRelease({ ...both, kept: [first] }, '1234')).toBe(first);
  });

  it('of a content in two generations is the later', async () => {
    await publishCompiled(stage.target, release(13), 29, { afresh: true });
    expect(findRelease(await kept(), idOf(13)).number).toBe(15);
  });

  it('is named by its id in any case or its number, and nothing else', () => {
    expect(parseReleaseId('00FFaa')).toBe('00ffaa');
    expect(parseReleaseId('12-00FFaa')).toBe('12-00ffaa');
    expect(parseReleaseId('3')).toBe('3');
    for (const text of ['abc', '0', '3-', 'xyzw', '0'.repeat(17), '', '0-00ffaa', '1-2-00ffaa']) {
      expect(() => parseReleaseId(text)).toThrow('expected the id of a release');
    }
  });
});
