/** The releases that a target keeps, found by their ids. */
import { describe, expect, it } from 'vitest';
import { parseReleaseId } from '../../scripts/cli/option-values.ts';
import type { LogEntry } from '../../scripts/release/log-entry.ts';
import { readLog } from '../../scripts/release/open-log.ts';
import { findRelease } from '../../scripts/release/roll-back.ts';
import { dayOfJanuary, publishCompiled } from '../support/stores/compiled-stores.ts';
import { dayOf, useFourteenReleases } from './support/fourteen-releases.ts';

const stage = useFourteenReleases();
const { idOf } = stage;

describe('the list', () => {
  const kept = async () => (await readLog(stage.target)).rule();

  it('finds a release by its first digits or its name, if they tell it apart', async () => {
    const all = await kept();
    const found = findRelease(all, idOf(13).slice(0, 6));
    expect(found.publishedAt).toBe(dayOfJanuary(dayOf(13)).toISOString());
    const twins = ['abcd000000000001', 'abcd000000000002'].map((release) => ({
      ...found,
      manifest: { ...found.manifest, release },
    }));
    expect(() => findRelease({ ...all, kept: twins }, 'abcd')).toThrow(
      'abcd is ambiguous: abcd000000000001, abcd000000000002',
    );
    expect(() => findRelease(all, 'ffffffffffffffff')).toThrow('no release ffffffffffffffff');
    const { number } = found;
    expect(findRelease(all, `${number}-${idOf(13)}`)).toBe(found);
    expect(findRelease(all, `${number}-${idOf(13).slice(0, 6)}`)).toBe(found);
    expect(findRelease(all, String(number))).toBe(found);
    expect(() => findRelease(all, '999')).toThrow('no release 999 is kept here');
    for (const other of [number + 1, 999]) {
      const name = `${other}-${idOf(13)}`;
      expect(() => findRelease(all, name)).toThrow(`no release ${name} is kept here`);
    }
  });

  it('takes digits for a number or the first of an id, and says where they are both', async () => {
    const all = await kept();
    const [first, second] = all.kept as [LogEntry, LogEntry];
    const numbered = { ...first, number: 1234 };
    const begun = { ...second, manifest: { ...second.manifest, release: '1234000000000001' } };
    const both = { ...all, entries: [numbered, begun], kept: [first, begun] };
    expect(() => findRelease(both, '1234')).toThrow('1234 is ambiguous: ');
    expect(findRelease(both, '123400')).toBe(begun);
    expect(findRelease({ ...both, kept: [first] }, '1234')).toBe(first);
  });

  it('of a content in two generations has the later', async () => {
    await publishCompiled(stage.target, stage.release(13), 29, { afresh: true });
    expect(findRelease(await kept(), idOf(13)).number).toBe(15);
  });

  it('takes its id in any case or its number, and nothing that is neither', () => {
    expect(parseReleaseId('00FFaa')).toBe('00ffaa');
    expect(parseReleaseId('12-00FFaa')).toBe('12-00ffaa');
    expect(parseReleaseId('3')).toBe('3');
    for (const text of ['abc', '0', '3-', 'xyzw', '0'.repeat(17), '', '0-00ffaa', '1-2-00ffaa']) {
      expect(() => parseReleaseId(text)).toThrow('expected the id of a release');
    }
  });
});
