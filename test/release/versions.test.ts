/** Snapshots of several format versions in one storage: each tool works on its own alone. */
import { describe, expect, it } from 'vitest';
import { pruneVersion } from '../../scripts/commands/prune.ts';
import { readEntries, readHead } from '../../scripts/release/log.ts';
import { judgeLog } from '../../scripts/release/log-entry.ts';
import { encodeJson, type SnapshotTarget } from '../../scripts/storage/key-value-store.ts';
import { MemoryTarget } from '../support/memory-target.ts';
import { OTHER_POINTER_KEY, OTHER_VERSION, otherVersionValues } from '../support/other-version.ts';
import {
  compileStores,
  dayOfJanuary,
  publishRelease,
  publishStores,
  storesFrom,
} from '../support/stores/compiled-stores.ts';
import { collect, goBack, purge, resume } from './support/operator.ts';

/** What neither version has written. */
const OTHERS = new Map([
  ['snapshot/currently', encodeJson({ of: 'somebody else' })],
  ['snapshots/release/1', encodeJson({ of: 'another' })],
]);

const at = (day: number) => dayOfJanuary(day).toISOString();

const OTHER = otherVersionValues(at(1));

function put({ values }: MemoryTarget, others: ReadonlyMap<string, Uint8Array>): void {
  for (const [key, bytes] of others) values.set(key, bytes);
}

/** Does everything that this version's tools do, and returns the id of what is live then. */
async function workHere(target: SnapshotTarget): Promise<string> {
  for (let from = 1; from <= 3; from++) {
    const compiled = await compileStores(storesFrom(from, from + 4));
    await publishRelease(compiled, target);
  }
  const { to } = await goBack(target);
  await resume(target);
  await collect(target);
  await purge(target);
  return to.manifest.release;
}

it('another version is not touched by what is done in this one, does not see it, and is removed as a whole', async () => {
  const target = new MemoryTarget();
  target.time = dayOfJanuary(20).getTime();
  for (const others of [OTHER, OTHERS]) put(target, others);
  const live = await workHere(target);
  const own = new Map(target.values);
  for (const [key, bytes] of [...OTHER, ...OTHERS]) {
    expect(own.get(key)).toEqual(bytes);
    own.delete(key);
  }
  expect(own.size).toBeGreaterThan(10);
  for (const key of own.keys()) expect(key).toMatch(/^snapshot\/v\d+\//);
  const { kept } = judgeLog(await readEntries(target, await readHead(target.ledger)));
  expect(kept.map(({ manifest }) => manifest.release)).toEqual([live]);
  const planned = await pruneVersion(target, OTHER_VERSION, true);
  expect(new Set(planned)).toEqual(new Set(OTHER.keys()));
  expect(await pruneVersion(target, OTHER_VERSION)).toEqual(planned);
  expect(target.values).toEqual(new Map([...own, ...OTHERS]));
  expect(await pruneVersion(target, OTHER_VERSION)).toEqual([]);
});

describe('the removal of another version', () => {
  async function published(): Promise<MemoryTarget> {
    const target = new MemoryTarget();
    await publishStores(target, storesFrom(1, 3), 2);
    put(target, OTHER);
    target.writes.length = 0;
    target.time = dayOfJanuary(8).getTime();
    return target;
  }

  it.each([
    ['less than a week old', 'version_in_use', 7, at(1)],
    ['of a time to come', 'version_in_use', 20, at(21)],
    ['without a time', 'version_unreadable', 20, 'yesterday'],
    ['old, but a job ran since', 'version_in_use', 20, at(1), at(14)],
    ['older than a run of which the time cannot be read', 'version_unreadable', 20, at(1), 'x'],
  ])(
    'is refused while its pointer is %s',
    async (_what, code, day, publishedAt, ranAt?: string) => {
      const target = await published();
      put(target, otherVersionValues(publishedAt, ranAt));
      target.time = dayOfJanuary(day).getTime();
      for (const dryRun of [false, true]) {
        const pruning = pruneVersion(target, OTHER_VERSION, dryRun);
        await expect(pruning).rejects.toMatchObject({ code, exitCode: 1 });
      }
      expect(target.writes).toEqual([]);
    },
  );

  it('takes the pointer first and gives readers time before the rest goes, also when it was cut short', async () => {
    const complete = await published();
    const before = complete.fork();
    const atOnce: string[] = [];
    complete.beforeWrite = (key) => {
      if (complete.time === before.time) atOnce.push(key);
    };
    const keys = await pruneVersion(complete, OTHER_VERSION);
    expect(atOnce).toEqual([OTHER_POINTER_KEY]);
    expect(complete.writes).toEqual(keys);
    for (let stop = 1; stop < complete.writes.length - 1; stop++) {
      const target = before.fork();
      target.isOut = () => target.writes.length >= stop;
      await expect(pruneVersion(target, OTHER_VERSION)).rejects.toThrow('the power is out');
      target.isOut = () => false;
      const { time } = target;
      await pruneVersion(target, OTHER_VERSION);
      expect(target.time).toBe(time + target.readersWait);
      expect(target.values).toEqual(complete.values);
    }
  });
});
