/** Exports that make no sense, given to the command and to a day of publications. */
import { describe, expect, it } from 'vitest';
import type { PublishChoice } from '../../scripts/commands/publish.ts';
import type { SourceStore } from '../../scripts/compile/source-store.ts';
import { DEMO_AUTHOR } from '../../scripts/release/log-entry.ts';
import { goBack, purge, resume } from '../release/support/operator.ts';
import { ndjson } from '../support/faulty-sources.ts';
import { MemoryTarget } from '../support/memory-target.ts';
import { publishAsJob } from '../support/publish-as-job.ts';
import { liveKey } from '../support/publish-stage.ts';
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

  const publish = (stores: readonly SourceStore[], ...options: string[]) =>
    tool.snapshot(['publish', '--source', '-', ...options], ndjson(stores));

  async function published(stores: readonly SourceStore[], ...options: string[]) {
    const { code, stdout } = await publish(stores, ...options, '--json');
    const { error, guards, release } = JSON.parse(stdout);
    const refusals: { name: string }[] = error?.refusals ?? [];
    return { code, guards, release, refused: refusals.map(({ name }) => name) };
  }

  it('names what is wrong in more than one store, and too few to be refused', async () => {
    const stores = storesFrom(1, 60);
    const odd = (count: number) => first(count, stores, withName('Caf&eacute;'));
    const warning = (count: number) =>
      new RegExp(`warning: ${count} stores would have error text: [0-9a-f]{24}, `);
    expect((await publish(odd(3))).stderr).toMatch(warning(3));
    // What is live already is not told again.
    expect((await publish(odd(4))).stderr).not.toContain('error text');
    expect(await publish(odd(6))).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(warning(2)),
    });
  });

  it('refuses it on a first publication, and publishes it with its options or by force', async () => {
    const stores = storesFrom(1, 60);
    const unnamed = stores.map(withName('A'));
    expect(await published(unnamed)).toMatchObject({ code: 1, refused: ['equal-names'] });
    const outcome = await published(unnamed, '--allow', 'equal-names');
    expect(outcome).toMatchObject({ code: 0, guards: { accepted: ['equal-names'] } });
    expect(await published(stores.slice(30))).toMatchObject({
      code: 1,
      refused: ['removed', 'names'],
    });
    const forced = await published(stores.slice(30), '--force');
    expect(forced.guards).toMatchObject({
      accepted: ['removed', 'names'],
      refusals: [{ name: 'removed' }, { name: 'names' }],
    });
    // What was allowed is not held against the runs of the day.
    expect(await published(stores.slice(31))).toMatchObject({ code: 0, refused: [] });
    expect(await published(stores.slice(38))).toMatchObject({ code: 1, refused: ['removed'] });
  });

  it('says everything that is wrong, how far it went, and the option for it', async () => {
    const { release } = await published(STORES);
    const { stderr } = await publish(STORES.map(swapped));
    expect(stderr).toContain(
      [
        'error: development: refused by position, far-points: this looks like a bad export; nothing was published [suspicious_change]',
        '',
        '  position: 40 of 40 stores (100 %) would change their position by 100 m or more, compared with the live release, at most 5 % (--allow position=100)',
      ].join('\n'),
    );
    expect(stderr).toMatch(
      /\n {2}far-points: 40 of 40 stores \(100 %\) would lie in the sea, or where their country or time zone is not, compared with the live release, at most 5 % \(--allow far-points=100\)\n( {6}[0-9a-f]{24} store-\d+ geo\.location\.point: {"lat":[-\d.]+,"lng":[-\d.]+} → {"lat":[-\d.]+,"lng":[-\d.]+}\n){2}/,
    );
    expect((await tool.json(['list'])).data.entries).toMatchObject([{ release }]);
  });

  it.each<[string, SourceStore[], SourceStore[], string[]]>([
    [
      'many stores of one verticale, and all of another, lose it',
      VARIED,
      first(15, VARIED, withoutVerticale('BIKE')).map(withoutVerticale('SKI')),
      [
        '15 of 40 stores (37.5 %) would lose the verticale BIKE',
        '40 of 40 stores (100 %) would lose the verticale SKI',
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
    const refusal = await publish(next);
    expect(refusal.code).toBe(1);
    for (const words of named) expect(refusal.stderr).toContain(words);
    const options = [...refusal.stderr.matchAll(/\((--allow) (\S+)\)/g)];
    const allowed = options.flatMap(([, option = '', guard = '']) => [option, guard]);
    expect(await publish(next, ...allowed)).toMatchObject({ code: 0 });
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
    more: Partial<PublishChoice> = {},
  ): Promise<string[]> {
    const next = await compileStores(stores);
    target.time = hour(time);
    return publishAsJob(next, target, more).then(
      () => [],
      (error) => namesOf(error.details.refusals),
    );
  }

  it('refuses the third of four losses of 18 %, until a day has passed', async () => {
    const target = new MemoryTarget();
    expect(await publishAt(target, 0, many)).toEqual([]);
    expect(await publishAt(target, 1, many.slice(36))).toEqual([]);
    expect(await publishAt(target, 2, many.slice(65))).toEqual([]);
    expect(await publishAt(target, 3, many.slice(88))).toEqual(['removed day']);
    expect(await publishAt(target, 24, many.slice(88))).toEqual(['removed day']);
    expect(await publishAt(target, 25, many.slice(88))).toEqual([]);
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
    await goBack(target);
    await resume(target);
    expect(await publishAt(target, 32, many.slice(102))).toEqual([]);
    expect(await publishAt(target, 55, many.slice(103))).toEqual([]);
    // But what was allowed before the release of a day ago was let through for that one alone.
    expect(await publishAt(target, 80, many.slice(104), { force: true })).toEqual([]);
    expect(await publishAt(target, 81, many.slice(121))).toEqual([]);
    expect(await publishAt(target, 82, many.slice(136))).toEqual([]);
    expect(await publishAt(target, 83, many.slice(146))).toEqual(['removed day']);
  });

  it('begins with a purge, which leaves nothing older to compare with', async () => {
    const target = new MemoryTarget();
    await publishAt(target, 0, many);
    expect(await publishAt(target, 1, many.slice(36))).toEqual([]);
    target.time = hour(2);
    await purge(target);
    expect(await publishAt(target, 3, many.slice(65))).toEqual([]);
    expect(await publishAt(target, 4, many.slice(90))).toEqual([]);
    expect(await publishAt(target, 5, many.slice(105))).toEqual(['removed day']);
  });

  it('holds nothing against what replaces a demo', async () => {
    const target = new MemoryTarget();
    await publishAt(target, 0, many, { author: DEMO_AUTHOR });
    expect(await publishAt(target, 1, storesFrom(300, 340))).toEqual([]);
    expect(await publishAt(target, 2, storesFrom(300, 341))).toEqual([]);
  });

  it.each(['ids', 'compared', 'figures', 'chunks', 'documents'])(
    'goes on by force alone from a release without its %s, or once its stores are published afresh',
    async (what) => {
      const target = new MemoryTarget();
      await publishAt(target, 0, STORES);
      const live = await compileStores(STORES);
      const parts = Object.values(live.manifest.parts).map(({ hash }) => hash);
      const part = live.manifest.parts[what]?.hash;
      const documents = [...live.objects.keys()].filter((hash) => !parts.includes(hash));
      for (const hash of part ? [part] : documents) target.values.delete(liveKey(target, hash));
      const next = await compileStores(
        STORES.map((store) => ({ ...store, slug: `${store.slug}-b` })),
      );
      await expect(publishAsJob(next, target)).rejects.toMatchObject({ code: 'live_unreadable' });
      const remarks: string[] = [];
      const remark = (text: string) => void remarks.push(text);
      const forced = await publishAsJob(next, target.fork(), { force: true }, remark);
      expect(forced.diff).toBeNull();
      expect(remarks).toContain('The live release cannot be read: nothing compared');
      await publishAsJob(live, target, { afresh: true });
      const again = await publishAsJob(next, target, { force: true });
      expect(again.diff?.changed).toBe(40);
    },
  );
});
