/** The guards: what each row refuses, and how far it lets things go; broken-exports.test.ts has more of both. */
import { describe, expect, it } from 'vitest';
import type { SourceStore } from '../../scripts/compile/source-store.ts';
import { fieldRowOf, ROW_NAMES, ROWS } from '../../scripts/guards/table.ts';
import { FIELD_PATHS } from '../../src/model/field-paths.ts';
import { storesFrom } from '../support/stores/compiled-stores.ts';
import {
  at,
  first,
  hidden,
  rebranded,
  type StoreChange,
  withDescription,
  withName,
  withoutVerticale,
  withoutVerticales,
  withVerticales,
} from './support/export-changes.ts';
import { type Circumstances, GuardStage, namesOf } from './support/guard-stage.ts';

const stage = new GuardStage();
const STORES = storesFrom(1, 200);
const FEW = storesFrom(1, 10);
const three = storesFrom(1, 3);

/** Without the first `count`. */
const without = (count: number, stores: readonly SourceStore[] = STORES) => stores.slice(count);

const nowhere = at(() => ({ lat: 0, lng: 0 }));
const northwards = at(({ lat, lng }) => ({ lat: lat + 0.001, lng }));
const corrected = at(({ lat, lng }) => ({ lat: lat + 0.0008, lng }));
const unnamed: typeof rebranded = (store) => withoutVerticales(withName('')(store));
const shown: typeof rebranded = (store) => ({
  ...store,
  geo: { ...store.geo, displayAddress: true },
});

async function refused(
  next: readonly SourceStore[],
  live: readonly SourceStore[] | null,
  dayAgo: readonly SourceStore[] | null = null,
  more: Circumstances = {},
): Promise<string[]> {
  return namesOf(await stage.judged(next, live, dayAgo, more));
}

/** The first so many of the stores changed. */
const changed = (change: StoreChange) => (count: number) => first(count, STORES, change);

describe('an export that makes no sense', () => {
  it('is refused by all that it is wrong in', async () => {
    const counted = ['changed', 'each-verticale'];
    const names = [...counted, 'names', 'verticales', 'empty-names', 'without-verticales'];
    const refusals = await refused(STORES.map(unnamed), STORES);
    expect(refusals).toEqual(names.map((name) => `${name} live`));
  });

  it.each<[string, number, (count: number) => SourceStore[], string[]]>([
    ['a fifth gone', 40, (count) => without(count), ['removed']],
    ['three in ten added', 60, (count) => [...STORES, ...storesFrom(201, 200 + count)], ['added']],
    ['half changed', 100, changed(rebranded), ['changed', 'other']],
    ['5 % moved by 111 m', 10, changed(northwards), ['position']],
    ['10 % more hidden', 20, changed(hidden), ['hidden']],
    ['5 % without a name', 10, changed(withName('')), ['names', 'empty-names']],
    ['1 % named by a blank', 2, changed(withName(' ')), ['error-text']],
    [
      '5 % without a description',
      10,
      changed(withDescription('')),
      ['descriptions', 'empty-descriptions'],
    ],
    [
      '5 % without verticales',
      10,
      changed(withoutVerticales),
      ['verticales', 'without-verticales'],
    ],
  ])('is told from one with %s by one store more', async (_name, most, next, names) => {
    expect(await refused(next(most), STORES)).toEqual([]);
    const refusals = await stage.judged(next(most + 1), STORES);
    expect(namesOf(refusals)).toEqual(names.map((name) => `${name} live`));
    const ids = refusals.flatMap(({ examples }) => examples.map(({ id }) => id));
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{24}$/);
  });

  it('is not one with pins of four in ten put right by 89 m', async () => {
    expect(await refused(first(80, STORES, corrected), STORES)).toEqual([]);
  });

  it('is told by its rise, not by what was so before', async () => {
    const before = first(120, STORES, withDescription(''));
    const emptied = (count: number) =>
      before.map((store, index) =>
        index >= 120 && index < 120 + count ? withDescription('')(store) : store,
      );
    expect(await refused(emptied(10), before)).toEqual([]);
    expect(await stage.judged(emptied(11), before)).toMatchObject([
      { name: 'descriptions' },
      { name: 'empty-descriptions', share: 65.5, before: 60, limit: 5 },
    ]);
  });

  it('shows stores that have lost a name before those that have changed it', async () => {
    const next = STORES.map((store, place) =>
      place < 14 ? withName(place < 3 ? `Renamed ${place}` : '')(store) : store,
    );
    const refusals = await stage.judged(next, STORES);
    const { examples } = refusals.find(({ name }) => name === 'empty-names') ?? {};
    expect(examples?.map(({ id }) => id)).toEqual(STORES.slice(3, 5).map(({ id }) => id));
  });

  it('shows stores that hide their address before others that changed', async () => {
    const next = [...STORES.slice(0, 5).map(rebranded), ...STORES.slice(5, 30).map(hidden)];
    const refusals = await stage.judged([...next, ...STORES.slice(30)], STORES);
    expect(refusals).toMatchObject([
      { name: 'hidden', examples: [{ after: 'hidden' }, { after: 'hidden' }] },
    ]);
  });

  it('shows addresses that were hidden, above two stores and one in twenty of them', async () => {
    const before = first(100, STORES, hidden);
    const again = (count: number) => first(count, before, shown);
    expect(await refused(again(5), before)).toEqual([]);
    expect(await refused(again(6), before)).toEqual(['shown live']);
    const few = first(4, STORES, hidden);
    expect(await refused(first(2, few, shown), few)).toEqual([]);
    expect(await refused(first(3, few, shown), few)).toEqual(['shown live']);
  });
});

describe('what is allowed', () => {
  const allowed = (...entries: [string, number][]) => ({ allowed: new Map(entries) });

  it('passes its row, and does not count as changed', async () => {
    const next = STORES.map(withDescription('Winter'));
    expect(await refused(next, STORES)).toEqual([
      ...['changed live', 'descriptions live', 'equal-descriptions live'],
    ]);
    const both = allowed(['descriptions', 100], ['equal-descriptions', 100]);
    expect(await refused(next, STORES, null, both)).toEqual([]);
  });

  it('passes by what a refusal names, where some stores lose a name and others get a new one', async () => {
    const next = first(150, first(80, STORES, withName('')), (store) =>
      store.profile.name === '' ? store : withName(`${store.profile.name} & Co.`)(store),
    );
    const refusals = await stage.judged(next, STORES);
    expect(refusals.filter(({ name }) => name === 'names')).toMatchObject([
      { would: 'lose their name', share: 40, enough: 75 },
      { would: 'change their name', share: 75, enough: 75 },
    ]);
    const left = await refused(next, STORES, null, allowed(['names', 75]));
    expect(left.filter((reason) => reason.startsWith('names'))).toEqual([]);
  });

  it('passes every verticale that a refusal names, the worst first, and no other', async () => {
    const before = storesFrom(1, 40).map((store, index) =>
      withVerticales([...(index < 31 ? ['BIKE'] : []), ...(index > 28 ? ['SKI'] : []), 'CAR'])(
        store,
      ),
    );
    const next = first(13, before, withoutVerticale('BIKE')).map(withoutVerticale('SKI'));
    const judged = async (...entries: [string, number][]) => {
      const refusals = await stage.judged(next, before, null, allowed(...entries));
      return refusals.filter(({ name }) => name === 'each-verticale');
    };
    const ski = { would: expect.stringContaining('SKI'), count: 11, of: 11, enough: 100 };
    const bike = { would: expect.stringContaining('BIKE'), count: 13, of: 31, enough: 100 };
    expect(await judged()).toMatchObject([ski, bike]);
    expect(await judged(['each-verticale', 42])).toMatchObject([ski]);
    expect(await judged(['each-verticale', 100])).toEqual([]);
  });

  it('lets one store go alone, unless none may', async () => {
    const few = storesFrom(1, 25);
    expect(await refused(without(1, few), few, null, allowed(['removed', 2]))).toEqual([]);
    expect(await refused(without(2, few), few, null, allowed(['removed', 2]))).toEqual([
      'removed live',
    ]);
  });

  it('may have a limit of its own, against a day ago too', async () => {
    const next = without(70);
    expect(await refused(next, STORES, STORES, allowed(['removed', 34]))).toEqual(['removed live']);
    expect(await refused(next, STORES, STORES, allowed(['removed', 35]))).toEqual([]);
  });
});

describe('a day of small steps', () => {
  it('is refused when it comes to more changes than are allowed in a day', async () => {
    const half = first(90, STORES, rebranded);
    const other = half.map((store, index) =>
      index >= 90 && index < 170 ? rebranded(store) : store,
    );
    expect(await refused(other, half, STORES)).toEqual(['changed day']);
  });

  it('is refused once for each guard, where it is worst', async () => {
    expect(await refused(without(100), STORES, without(40))).toEqual(['removed live']);
    // By what has to be allowed, not by how far it is over the limit: 44 % of those that are live.
    expect(await stage.judged(without(100), without(20), STORES)).toMatchObject([
      { name: 'removed', against: 'day', share: 50, limit: 30, enough: 50 },
    ]);
    expect(await stage.judged(without(170), without(100), STORES)).toMatchObject([
      { name: 'removed', against: 'day', count: 170, of: 200, share: 85, limit: 30 },
    ]);
  });

  it('is not held against what comes after, once it was allowed', async () => {
    const ask = (exempt: Set<string>) => refused(without(80), without(79), STORES, { exempt });
    expect(await ask(new Set())).toEqual(['removed day']);
    expect(await ask(new Set(['position']))).toEqual(['removed day']);
    expect(await ask(new Set(['removed']))).toEqual([]);
  });
});

describe('a first publication', () => {
  it.each<[string, number, StoreChange, string]>([
    ['30 % of one name', 60, withName('undefined'), 'equal-names'],
    ['30 % at one point', 60, nowhere, 'equal-points'],
    ['5 % without a name', 10, withName(''), 'empty-names'],
  ])('may have %s, but not one store more', async (_name, most, change, name) => {
    expect(await refused(first(most, STORES, change), null)).toEqual([]);
    expect(await refused(first(most + 1, STORES, change), null)).toEqual([`${name} first`]);
  });

  it.each<[string, SourceStore[], string[]]>([
    ['names used twice, as branches of chains are', STORES.map(pairName), []],
    ['all hidden', STORES.map(hidden), []],
    ['three stores of one name at one point', three.map(nowhere).map(withName('A')), []],
    ['three stores without a name', three.map(withName('')), ['empty-names']],
  ])('of %s', async (_name, next, names) => {
    expect(await refused(next, null)).toEqual(names.map((name) => `${name} first`));
  });

  it('is what follows a release of fewer than 20 stores, and not one of 20', async () => {
    const many = storesFrom(31, 90).map(withName('undefined'));
    const following = (live: SourceStore[]) => refused([...live, ...many], live);
    expect(await following(storesFrom(1, 19))).toContain('equal-names first');
    expect(await following(storesFrom(1, 20))).toContain('equal-names live');
  });
});

describe('under 20 stores', () => {
  it.each<[string, SourceStore[], string[]]>([
    ['nine of ten gone', without(9, FEW), []],
    ['all gone', storesFrom(11, 20), ['removed']],
    ['nine of ten without a name', first(9, FEW, withName('')), []],
    ['all without a name', FEW.map(withName('')), ['names', 'empty-names']],
    [
      'all without a description',
      FEW.map(withDescription('')),
      ['descriptions', 'empty-descriptions'],
    ],
    ['all without verticales', FEW.map(withoutVerticales), ['verticales', 'without-verticales']],
    ['all hidden', FEW.map(hidden), ['hidden']],
    ['all changed and moved, with one name', FEW.map(northwards).map(withName('A')), []],
  ])('%s', async (_name, next, names) => {
    expect(await refused(next, FEW)).toEqual(names.map((name) => `${name} live`));
  });

  it('what all lacked before is nothing lost', async () => {
    const before = FEW.map(hidden);
    expect(await refused(before.map(rebranded), before)).toEqual([]);
  });

  it('and of more, one alone may change in any way', async () => {
    const [store] = FEW as [SourceStore];
    expect(await refused([hidden(unnamed(store))], [store])).toEqual([]);
    const thirty = storesFrom(1, 30);
    expect(await refused(first(1, thirty, northwards), thirty)).toEqual([]);
    expect(await refused(storesFrom(2, 2), [store])).toEqual(['removed live']);
  });

  it('and none where none is allowed', async () => {
    const thirty = storesFrom(1, 30);
    const next = first(2, thirty, northwards).slice(1);
    const allowed = new Map([
      ['removed', 0],
      ['position', 0],
    ]);
    expect(await refused(next, thirty, null, { allowed })).toEqual([
      'removed live',
      'position live',
    ]);
  });
});

describe('the table', () => {
  it('has a row for every field of an answer', () => {
    const counted = /^slug$|^geo\.(location|locations)\.point/;
    const left = FIELD_PATHS.filter((path) => !fieldRowOf(path) && !counted.test(path));
    expect(left).toEqual([]);
    expect(new Set(ROW_NAMES).size).toBe(ROWS.length);
    for (const name of ROW_NAMES) expect(name).toMatch(/^[a-z]+(-[a-z]+)*$/);
  });
});

function pairName(store: SourceStore, index: number): SourceStore {
  return withName(`Branch ${Math.floor(index / 2)}`)(store);
}
