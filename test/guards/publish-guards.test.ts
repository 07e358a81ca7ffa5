/** Exports that make no sense, given to the command and to a day of publications. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { SILENT_PROGRESS } from '../../scripts/cli/progress.ts';
import type { SourceStore } from '../../scripts/compile/source-store.ts';
import type { GuardedOptions } from '../../scripts/guards/guarded-publication.ts';
import { purgeReleases } from '../../scripts/release/purge.ts';
import { resumePublishing, rollBack } from '../../scripts/release/roll-back.ts';
import { ndjson } from '../support/faulty-sources.ts';
import { MemoryTarget } from '../support/memory-target.ts';
import { publishAsJob } from '../support/publish-as-job.ts';
import { useSnapshotTool } from '../support/snapshot-tool.ts';
import { compileStores, storesFrom } from '../support/stores/compiled-stores.ts';
import {
  first,
  rebranded,
  swapped,
  withName,
  withoutVerticale,
  withVerticales,
} from './support/export-changes.ts';
import { namesOf } from './support/guard-stage.ts';

const STORES = storesFrom(1, 40);
const VARIED = STORES.map(withVerticales(['BIKE', 'SKI', 'CAR']));

describe('snapshot publish', () => {
  const tool = useSnapshotTool();

  async function publish(stores: readonly SourceStore[], ...options: string[]) {
    const source = join(tool.folder, 'export.ndjson');
    await writeFile(source, ndjson(stores));
    const { code, stdout } = await tool.snapshot([
      ...['publish', '--source', source, '--json', ...options],
    ]);
    const { error, guards, release } = JSON.parse(stdout);
    const refusals = (error?.refusals ?? []) as { name: string }[];
    return {
      code,
      error: error?.code,
      guards,
      release,
      refused: refusals.map(({ name }) => name),
    };
  }

  it('names odd values that are too few to be refused', async () => {
    await publish(STORES);
    const odd = STORES.map((store, number) => (number === 0 ? withName('a\u0007b')(store) : store));
    const outcome = await tool.snapshot(['publish', '--source', '-'], ndjson(odd));
    expect(outcome.code).toBe(0);
    expect(outcome.stderr).toMatch(
      /warning: 1 store would have an odd value: [0-9a-f]{24}(?!.*odd-values)/,
    );
  });

  it('refuses it on a first publication, and publishes it with its options or by force', async () => {
    const stores = storesFrom(1, 60);
    const unnamed = stores.map(withName('undefined'));
    expect(await publish(unnamed)).toMatchObject({ code: 1, refused: ['equal-names'] });
    const outcome = await publish(unnamed, '--allow', 'equal-names');
    expect(outcome).toMatchObject({ code: 0, guards: { accepted: ['equal-names'] } });
    expect(await publish(stores.slice(30))).toMatchObject({
      code: 1,
      refused: ['removed', 'names'],
    });
    const forced = await publish(stores.slice(30), '--force');
    expect(forced.guards).toMatchObject({ accepted: ['removed', 'names'] });
    // What was allowed is not held against the runs of the day.
    expect(await publish(stores.slice(31))).toMatchObject({ code: 0, refused: [] });
    expect(await publish(stores.slice(38))).toMatchObject({ code: 1, refused: ['removed'] });
  });

  it('says everything that is wrong, how far it went, and the option for it', async () => {
    const { release } = await publish(STORES);
    const swappedStores = ndjson(STORES.map(swapped));
    const { stderr } = await tool.snapshot(['publish', '--source', '-'], swappedStores);
    expect(stderr).toContain(
      [
        'error: development: 40 of 40 stores (100 %) would change outside of what is allowed, and 1 more reason: this looks like a bad export; nothing was published [suspicious_change]',
        '',
        '  changed: 40 of 40 stores (100 %) would change outside of what is allowed, compared with the live release, at most 50 % (--allow changed=100)',
      ].join('\n'),
    );
    expect(stderr).toMatch(
      /\n {2}position: 40 of 40 stores \(100 %\) would move by 100 m or more, compared with the live release, at most 5 % \(--allow position=100\)\n( {6}[0-9a-f]{24} store-\d+: [-\d.]+, [-\d.]+ → [-\d.]+, [-\d.]+\n){2}/,
    );
    const named = ndjson([...STORES.slice(0, 10).map(withName('')), ...STORES.slice(10)]);
    const refusal = await tool.snapshot(['publish', '--source', '-'], named);
    expect(refusal.stderr).toMatch(
      /\n {2}empty-names: 10 of 40 stores \(25 %, 0 % before\) would have no name, compared with the live release, at most 5 points more \(--allow empty-names=25\)\n( {6}[0-9a-f]{24} store-\d+ profile\.name: "[^"]+" → ""\n){2}/,
    );
    const { stdout } = await tool.snapshot(['list', '--json']);
    expect(JSON.parse(stdout).entries).toMatchObject([{ release }]);
  });

  it.each<[string, SourceStore[], SourceStore[], string[]]>([
    [
      'many stores of one verticale, and all of another, lose it',
      VARIED,
      first(15, VARIED, withoutVerticale('BIKE')).map(withoutVerticale('SKI')),
      [
        '40 of 40 stores (100 %) would lose the verticale SKI',
        '15 of 40 stores (37.5 %) would lose the verticale BIKE',
      ],
    ],
    [
      'more stores come than are live',
      STORES,
      storesFrom(1, 100),
      ['60 of 40 stores (150 %) would come'],
    ],
  ])('names all that its options pass: %s', async (_name, live, next, named) => {
    await publish(live);
    const order = ['publish', '--source', '-'];
    const refusal = await tool.snapshot(order, ndjson(next));
    expect(refusal.code).toBe(1);
    for (const words of named) expect(refusal.stderr).toContain(words);
    const options = [...refusal.stderr.matchAll(/\((--allow) (\S+)\)/g)];
    const allowed = options.flatMap(([, option = '', guard = '']) => [option, guard]);
    const { code } = await tool.snapshot([...order, ...allowed, '--json'], ndjson(next));
    expect(code).toBe(0);
  });

  it('writes a guard that it has passed into the log once, whatever that named', async () => {
    await publish(VARIED);
    const { guards } = await publish(VARIED.map(withVerticales(['CAR'])), '--force');
    expect(guards.refusals).toMatchObject([
      { name: 'changed' },
      { name: 'each-verticale' },
      { name: 'each-verticale' },
      { name: 'verticales' },
    ]);
    expect(guards.accepted).toEqual(['changed', 'each-verticale', 'verticales']);
  });
});

describe('a day of publications', () => {
  const hour = (number: number) => Date.UTC(2026, 0, 1, number);
  const many = storesFrom(1, 200);

  /** Publishes as the command does, and returns the codes of what refused it. */
  async function publishAt(
    target: MemoryTarget,
    time: number,
    stores: readonly SourceStore[],
    more: Partial<GuardedOptions> = {},
  ): Promise<string[]> {
    const next = await compileStores(stores);
    target.time = hour(time);
    return publishAsJob(next, target, more).then(
      () => [],
      (error) => namesOf(error.details.refusals),
    );
  }

  it('refuses the second of four losses of 18 %, until a day has passed', async () => {
    const target = new MemoryTarget();
    expect(await publishAt(target, 0, many)).toEqual([]);
    expect(await publishAt(target, 1, many.slice(36))).toEqual([]);
    expect(await publishAt(target, 2, many.slice(65))).toEqual(['removed day']);
    expect(await publishAt(target, 24, many.slice(65))).toEqual(['removed day']);
    expect(await publishAt(target, 25, many.slice(65))).toEqual([]);
  });

  it('holds nothing against who was asked: force, and a way back', async () => {
    const target = new MemoryTarget();
    await publishAt(target, 0, many);
    expect(await publishAt(target, 1, many.slice(100), { force: true })).toEqual([]);
    expect(await publishAt(target, 2, many.slice(101))).toEqual([]);
    // A bad release that was rolled back is nothing to compare with a day later.
    const all = many.slice(101).map(rebranded);
    expect(await publishAt(target, 30, all, { force: true })).toEqual([]);
    target.time = hour(31);
    const signature = { by: 'ops', note: null };
    await rollBack(target, { release: null, signature });
    await resumePublishing(target, { signature });
    expect(await publishAt(target, 32, many.slice(102))).toEqual([]);
    expect(await publishAt(target, 55, many.slice(103))).toEqual([]);
    // But what was allowed before the release of a day ago was let through for that one alone.
    expect(await publishAt(target, 80, many.slice(104), { force: true })).toEqual([]);
    expect(await publishAt(target, 81, many.slice(121))).toEqual([]);
    expect(await publishAt(target, 82, many.slice(137))).toEqual(['removed day']);
  });

  it('begins with a purge, which leaves nothing older to compare with', async () => {
    const target = new MemoryTarget();
    await publishAt(target, 0, many);
    expect(await publishAt(target, 1, many.slice(36))).toEqual([]);
    target.time = hour(2);
    await purgeReleases(target, {
      signature: { by: 'ops', note: null },
      progress: SILENT_PROGRESS,
    });
    expect(await publishAt(target, 3, many.slice(65))).toEqual([]);
    expect(await publishAt(target, 4, many.slice(90))).toEqual(['removed day']);
  });

  it('holds nothing against what replaces a release that cannot be read', async () => {
    const target = new MemoryTarget();
    await publishAt(target, 0, many);
    expect(
      await publishAt(target, 1, storesFrom(300, 340), { replacesAll: async () => true }),
    ).toEqual([]);
    expect(await publishAt(target, 2, storesFrom(300, 341))).toEqual([]);
  });
});
