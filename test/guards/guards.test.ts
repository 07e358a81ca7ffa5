/** The guards: how far each lets things go; broken-exports.test.ts has what each refuses. */
import { describe, expect, it } from 'vitest';
import type { SourceStore } from '../../scripts/compile/source-store.ts';
import { GUARD_NAMES } from '../../scripts/guards/table.ts';
import { storesFrom } from '../support/stores/compiled-stores.ts';
import {
  at,
  changing,
  first,
  hidden,
  rebranded,
  type StoreChange,
  withDescription,
  withName,
  withoutVerticale,
  withVerticales,
} from './support/export-changes.ts';
import { type Circumstances, GuardStage, namesOf } from './support/guard-stage.ts';

const stage = new GuardStage();
const STORES = storesFrom(1, 200);
const FEW = storesFrom(1, 10);

/** Without the first `count`. */
const without = (count: number, stores: readonly SourceStore[] = STORES) => stores.slice(count);

const northwards = at(({ lat, lng }) => ({ lat: lat + 0.001, lng }));
const corrected = at(({ lat, lng }) => ({ lat: lat + 0.0008, lng }));
const shown = changing(['geo.displayAddress', true]);
const onlyFrench = changing(['localization.available', ['fr']]);

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
  it.each<[string, number, (count: number) => SourceStore[], string[]]>([
    ['a fifth gone', 40, (count) => without(count), ['removed']],
    ['three in ten added', 60, (count) => [...STORES, ...storesFrom(201, 200 + count)], ['added']],
    ['half changed', 100, changed(rebranded), ['other']],
    ['5 % moved by 111 m', 10, changed(northwards), ['position']],
    ['5 % hidden', 10, changed(hidden), ['addresses']],
    ['5 % without a name', 10, changed(withName('')), ['names', 'empty-names']],
    ['5 % more of one name', 11, changed(withName('Rent & Ride')), ['equal-names']],
    [
      '5 % without a description',
      10,
      changed(withDescription('')),
      ['descriptions', 'empty-descriptions'],
    ],
    ['a tenth without a verticale', 20, changed(withVerticales([])), ['verticale-bike']],
    ['a tenth without a language', 20, changed(onlyFrench), ['language-en']],
    [
      '15 % with another verticale',
      30,
      changed(withVerticales(['BIKE', 'CAR'])),
      ['verticale-car'],
    ],
  ])('is told from one with %s by one store more', async (_name, most, next, names) => {
    expect(await refused(next(most), STORES)).toEqual([]);
    expect(await refused(next(most + 1), STORES)).toEqual(names.map((name) => `${name} live`));
  });

  it('is not one with pins of four in ten put right by 89 m', async () => {
    expect(await refused(first(80, STORES, corrected), STORES)).toEqual([]);
  });

  it('is one with free delivery for a tenth, not one in which free delivery gets a price', async () => {
    const charging = (price: number) =>
      changing(['modules.delivery.ranges', [{ min: 0, max: 5, price, specificPrices: [] }]]);
    const [free, dear] = [STORES.map(charging(0)), STORES.map(charging(5))];
    expect(await refused(first(20, dear, charging(0)), dear)).toEqual(['prices live']);
    expect(await refused(first(20, free, charging(5)), free)).toEqual([]);
  });

  it('is told by its rise, not by what was so before', async () => {
    const before = first(100, first(120, STORES, withName('')), withName('Rent & Ride'));
    const next = (count: number) =>
      before.map((store, index) =>
        index < 120 || index >= 120 + count
          ? store
          : withName(index % 2 ? '' : 'Rent & Ride')(store),
      );
    expect(await refused(next(20), before, null, { allowed: new Map([['names', 100]]) })).toEqual(
      [],
    );
    expect(await refused(next(22), before)).toEqual(
      ['names', 'empty-names', 'equal-names'].map((name) => `${name} live`),
    );
  });

  it('shows addresses that were hidden, above two stores and one in twenty of them', async () => {
    const before = first(100, STORES, hidden);
    const again = (count: number) => first(count, before, shown);
    expect(await refused(again(5), before)).toEqual([]);
    expect(await refused(again(6), before)).toEqual(['shown live']);
  });
});

describe('what is allowed', () => {
  const allowed = (...entries: [string, number][]) => ({ allowed: new Map(entries) });

  it('passes its guard alone', async () => {
    const next = STORES.map(withDescription('Winter'));
    const refusals = ['descriptions live', 'equal-descriptions live'];
    expect(await refused(next, STORES)).toEqual(refusals);
    expect(await refused(next, STORES, null, allowed(['descriptions', 100]))).toEqual([
      refusals[1],
    ]);
  });

  it('passes those that lose a name, and those that get a new one', async () => {
    const next = first(13, first(49, STORES, withName('New')), withName(''));
    const refusals = await stage.judged(next.map(numbered), STORES);
    expect(refusals.filter(({ name }) => name === 'names')).toMatchObject([
      { would: 'lose their name', share: 6.5, enough: 18 },
    ]);
    const left = await refused(next.map(numbered), STORES, null, allowed(['names', 18]));
    expect(left).toEqual(['empty-names live']);
  });

  it('passes the verticale that it names, and no other', async () => {
    const before = storesFrom(1, 60).map(withVerticales(['BIKE', 'SKI', 'CAR']));
    const next = first(12, before.map(withoutVerticale('SKI')), withoutVerticale('BIKE'));
    const refusals = await stage.judged(next, before);
    expect(refusals).toMatchObject([
      { name: 'verticale-bike', would: 'lose the verticale BIKE', count: 12, of: 60, enough: 20 },
      { name: 'verticale-ski', would: 'lose the verticale SKI', count: 60, of: 60, enough: 100 },
    ]);
    expect(await refused(next, before, null, allowed(['verticale-bike', 20]))).toEqual([
      'verticale-ski live',
    ]);
  });

  it('may have a limit of its own, against a day ago too', async () => {
    const next = without(90);
    expect(await refused(next, STORES, STORES, allowed(['removed', 44]))).toEqual(['removed live']);
    expect(await refused(next, STORES, STORES, allowed(['removed', 45]))).toEqual([]);
    expect(await refused(without(12), STORES, null, allowed(['removed', 5]))).toEqual([
      'removed live',
    ]);
  });
});

describe('a day of small steps', () => {
  it('is refused when it comes to twice what is allowed at once', async () => {
    const live = first(30, STORES, northwards);
    const next = (count: number) =>
      live.map((store, index) => (index >= 30 && index < 30 + count ? northwards(store) : store));
    const day = first(18, STORES, northwards);
    expect(await refused(next(8), live, day)).toEqual([]);
    expect(await refused(next(9), live, day)).toEqual(['position day']);
  });

  it('is refused once for each guard, where it is worst', async () => {
    expect(await stage.judged(without(100), without(20), STORES)).toMatchObject([
      { name: 'removed', against: 'day', share: 50, limit: 40, enough: 50 },
    ]);
    expect(await refused(without(100), STORES, without(40))).toEqual(['removed live']);
  });

  it('is not held against what comes after, once it was allowed', async () => {
    const ask = (exempt: Set<string>) => refused(without(90), without(89), STORES, { exempt });
    expect(await ask(new Set(['position']))).toEqual(['removed day']);
    expect(await ask(new Set(['removed']))).toEqual([]);
  });
});

describe('a first publication', () => {
  it.each<[string, StoreChange, string[]]>([
    ['of one name', withName('Rent & Ride'), ['equal-names']],
    ['at 0, 0', at(() => ({ lat: 0, lng: 0 })), ['zero-points', 'far-points', 'equal-points']],
    ['without a name', withName(''), ['empty-names']],
  ])('may have 5 % %s, but not one store more', async (_name, change, names) => {
    expect(await refused(first(10, STORES, change), null)).toEqual([]);
    const refusals = await refused(first(12, STORES, change), null);
    expect(refusals.toSorted()).toEqual(names.map((name) => `${name} first`).toSorted());
  });

  it.each<[string, SourceStore[]]>([
    ['names used twice, as branches of chains are', STORES.map(pairName)],
    ['all hidden', STORES.map(hidden)],
  ])('may have %s', async (_name, next) => {
    expect(await refused(next, null)).toEqual([]);
  });
});

describe('under 20 stores', () => {
  it.each<[string, SourceStore[], string[]]>([
    ['nine of ten gone', without(9, FEW), []],
    ['all gone', storesFrom(11, 20), ['removed']],
    ['nine of ten without a name', first(9, FEW, withName('')), []],
    ['all without a name', FEW.map(withName('')), ['names', 'empty-names']],
    ['all without their verticale', FEW.map(withVerticales(['CAR'])), ['verticale-bike']],
    ['all hidden', FEW.map(hidden), ['addresses']],
    ['all changed and moved', FEW.map(northwards).map(rebranded), []],
  ])('%s', async (_name, next, names) => {
    expect(await refused(next, FEW)).toEqual(names.map((name) => `${name} live`));
  });

  it('what all have wrong is refused at once', async () => {
    expect(await refused(FEW.map(withName('A')), null)).toEqual(['equal-names first']);
    expect(await refused(first(9, FEW, withName('A')), null)).toEqual([]);
  });

  it('and of more, two alone may change in any way', async () => {
    const two = storesFrom(1, 2);
    expect(await refused(two.map(hidden).map(withName('')), two)).toEqual([]);
    expect(await refused(storesFrom(3, 4), two)).toEqual([]);
    const thirty = storesFrom(1, 30);
    expect(await refused(first(2, thirty, northwards), thirty)).toEqual([]);
    expect(await refused(first(3, thirty, northwards), thirty)).toEqual(['position live']);
  });
});

describe('the table', () => {
  it('has names that options can take', () => {
    expect(new Set(GUARD_NAMES).size).toBe(GUARD_NAMES.length);
    for (const name of GUARD_NAMES) expect(name).toMatch(/^[a-z]+(-[a-z]+)*$/);
  });
});

/** New names, each another one. */
function numbered(store: SourceStore, index: number): SourceStore {
  return store.profile.name === 'New' ? withName(`New ${index}`)(store) : store;
}

function pairName(store: SourceStore, index: number): SourceStore {
  return withName(`Branch ${Math.floor(index / 2)}`)(store);
}
