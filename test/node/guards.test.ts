/** The guards: each nonsense that they are there for, and how far each lets things go. */
import { describe, expect, it } from 'vitest';
import { ReleaseReader } from '../../scripts/build/release-reader.ts';
import type { SourceStore } from '../../scripts/compile/source-store.ts';
import { readLimits } from '../../scripts/guards/guard-options.ts';
import { DEFAULT_LIMITS, GUARD_CODES } from '../../scripts/guards/guards.ts';
import { judge } from '../../scripts/guards/judge.ts';
import { measureChange, readPlacedStores } from '../../scripts/guards/measure-change.ts';
import { compileStores, storesFrom } from './compiled-stores.ts';
import {
  at,
  edited,
  first,
  hidden,
  swapped,
  withDescription,
  withName,
  withoutVerticales,
} from './export-changes.ts';
import { baseOf, codesOf, judged, seen } from './guard-stage.ts';

const STORES = storesFrom(1, 200);
const FEW = storesFrom(1, 10);

/** Without the first `count`. */
const without = (count: number, stores: readonly SourceStore[] = STORES) => stores.slice(count);

const nowhere = at(() => ({ lat: 0, lng: 0 }));
const northwards = at(({ lat, lng }) => ({ lat: lat + 0.05, lng }));
const corrected = at(({ lat, lng }) => ({ lat: lat + 0.04, lng }));
const unnamed: typeof edited = (store) => withoutVerticales(withName('')(store));

describe('an export that makes no sense', () => {
  it.each<[string, SourceStore[], string[]]>([
    ['latitude and longitude swapped', STORES.map(swapped), ['changed', 'moved']],
    ['all stores at 0/0', STORES.map(nowhere), ['changed', 'moved', 'equal_points']],
    ['all names "undefined"', STORES.map(withName('undefined')), ['changed', 'equal_names']],
    [
      'all names empty, and no verticales',
      STORES.map(unnamed),
      ['changed', 'empty_names', 'without_verticales'],
    ],
    ['more than a fifth gone', without(41), ['removed']],
    ['more than half changed', first(101, STORES, edited), ['changed']],
    ['2.5 % moved by more than 5 km', first(5, STORES, northwards), ['moved']],
    ['10.5 % more hidden', first(21, STORES, hidden), ['hidden']],
    ['5.5 % more at equal points', first(12, STORES, toPointOf(STORES[0])), ['equal_points']],
    ['5.5 % more without a name', first(11, STORES, withName(' ')), ['empty_names']],
    ['5.5 % more with equal names', first(12, STORES, withName('null')), ['equal_names']],
    [
      '5.5 % more without a description',
      first(11, STORES, withDescription('')),
      ['empty_descriptions'],
    ],
    [
      '5.5 % more with equal descriptions',
      first(12, STORES, withDescription('n/a')),
      ['equal_descriptions'],
    ],
    ['5.5 % more without verticales', first(11, STORES, withoutVerticales), ['without_verticales']],
  ])('%s', (_name, next, codes) => {
    expect(codesOf(judged(next, STORES))).toEqual(codes.map((code) => `${code} live`));
  });

  it.each<[string, SourceStore[]]>([
    ['a fifth gone', without(40)],
    ['half changed', first(100, STORES, edited)],
    ['2 % moved by more than 5 km', first(4, STORES, northwards)],
    ['all pins put right by 4 km, in three parts of ten', first(60, STORES, corrected)],
    ['10 % more hidden', first(20, STORES, hidden)],
    ['5 % more at equal points', first(11, STORES, toPointOf(STORES[0]))],
    ['5 % more without a name', first(10, STORES, withName(''))],
    ['5 % more with equal names', first(11, STORES, withName('null'))],
    ['5 % more without a description', first(10, STORES, withDescription(''))],
    ['5 % more with equal descriptions', first(11, STORES, withDescription('n/a'))],
    ['5 % more without verticales', first(10, STORES, withoutVerticales)],
    ['twice as many stores', [...STORES, ...storesFrom(201, 400)]],
  ])('is not told from one with %s', (_name, next) => {
    expect(judged(next, STORES)).toEqual([]);
  });

  it('is told by its rise, not by what was so before', () => {
    const before = first(120, STORES, withDescription(''));
    const emptied = (count: number) =>
      before.map((store, index) =>
        index >= 120 && index < 120 + count ? withDescription('')(store) : store,
      );
    expect(judged(emptied(10), before)).toEqual([]);
    const refusals = judged(emptied(11), before);
    expect(refusals).toMatchObject([
      { code: 'empty_descriptions', share: 65.5, before: 60, limit: 5 },
    ]);
  });
});

describe('a day of small steps', () => {
  it('is refused when it comes to more than is allowed in a day', () => {
    const losses = [without(36), without(36 + 29), without(65 + 24)];
    expect(judged(losses[0] ?? [], STORES, STORES)).toEqual([]);
    expect(codesOf(judged(losses[1] ?? [], losses[0] ?? [], STORES))).toEqual(['removed day']);
    expect(codesOf(judged(losses[2] ?? [], losses[1] ?? [], STORES))).toEqual(['removed day']);
    const half = first(90, STORES, edited);
    const other = half.map((store, index) => (index >= 90 && index < 170 ? edited(store) : store));
    expect(codesOf(judged(other, half, STORES))).toEqual(['changed day']);
    const some = first(4, STORES, northwards);
    const more = some.map((store, index) => (index === 4 ? northwards(store) : store));
    expect(codesOf(judged(more, some, STORES))).toEqual(['moved day']);
  });

  it('is refused once for each guard, where it is worst', () => {
    expect(codesOf(judged(without(100), without(20), STORES))).toEqual(['removed live']);
    expect(judged(without(170), without(100), STORES)).toMatchObject([
      { code: 'removed', against: 'day', count: 170, of: 200, share: 85, limit: 30 },
    ]);
  });

  it('is not held against what comes after, once somebody wanted it', () => {
    const next = seen(without(80));
    const live = baseOf('live', seen(without(79)), next);
    const ask = (exempt: Set<'removed' | 'moved'>) => {
      const bases = [live, baseOf('day', seen(STORES), next, exempt)];
      return codesOf(judge(next.figures, bases, DEFAULT_LIMITS));
    };
    expect(ask(new Set())).toEqual(['removed day']);
    expect(ask(new Set(['moved']))).toEqual(['removed day']);
    expect(ask(new Set(['removed']))).toEqual([]);
  });
});

describe('a first publication', () => {
  it.each<[string, SourceStore[], string[]]>([
    ['all names "undefined"', STORES.map(withName('undefined')), ['equal_names']],
    ['31 % of one name', first(62, STORES, withName('undefined')), ['equal_names']],
    ['30 % of one name', first(60, STORES, withName('undefined')), []],
    ['31 % at one point', first(62, STORES, nowhere), ['equal_points']],
    ['30 % at one point', first(60, STORES, nowhere), []],
    ['6 % without a name', first(12, STORES, withName('')), ['empty_names']],
    ['5 % without a name', first(10, STORES, withName('')), []],
    ['names used twice, as branches of chains are', STORES.map(pairName), []],
    ['all hidden', STORES.map(hidden), []],
    ['three stores of one name at one point', storesFrom(1, 3).map(nowhere).map(withName('A')), []],
    ['three stores without a name', storesFrom(1, 3).map(withName('')), ['empty_names']],
  ])('of %s', (_name, next, codes) => {
    expect(codesOf(judged(next, null))).toEqual(codes.map((code) => `${code} first`));
  });

  it('is what follows a release of fewer than 20 stores', () => {
    const many = [...FEW, ...storesFrom(11, 40).map(withName('undefined'))];
    expect(codesOf(judged(many, FEW))).toEqual(['equal_names first']);
  });
});

describe('under 20 stores', () => {
  it.each<[string, SourceStore[], string[]]>([
    ['nine of ten gone', without(9, FEW), []],
    ['all gone', storesFrom(11, 20), ['removed']],
    ['nine of ten without a name', first(9, FEW, withName('')), []],
    ['all without a name', FEW.map(withName('')), ['empty_names']],
    ['all without a description', FEW.map(withDescription('')), ['empty_descriptions']],
    ['all without verticales', FEW.map(withoutVerticales), ['without_verticales']],
    ['all hidden', FEW.map(hidden), ['hidden']],
    ['all changed and moved, with one name', FEW.map(northwards).map(withName('A')), []],
  ])('%s', (_name, next, codes) => {
    expect(codesOf(judged(next, FEW))).toEqual(codes.map((code) => `${code} live`));
  });

  it('what all lacked before is nothing lost', () => {
    const before = FEW.map(hidden);
    expect(judged(before.map(edited), before)).toEqual([]);
  });

  it('and of more, one alone may change in any way', () => {
    const [store] = FEW as [SourceStore];
    expect(judged([hidden(unnamed(store))], [store])).toEqual([]);
    const thirty = storesFrom(1, 30);
    expect(judged(first(1, thirty, northwards), thirty)).toEqual([]);
    expect(codesOf(judged(storesFrom(2, 2), [store]))).toEqual(['removed live']);
  });

  it('and none where none is allowed', () => {
    const limits = readLimits({ maxRemoved: 0, maxMoved: 0 });
    const thirty = storesFrom(1, 30);
    const next = seen(first(2, thirty, northwards).slice(1));
    const refusals = judge(next.figures, [baseOf('live', seen(thirty), next)], limits);
    expect(codesOf(refusals)).toEqual(['removed live', 'moved live']);
  });
});

describe('the limits', () => {
  it('are the defaults unless options say otherwise', () => {
    expect(readLimits({})).toEqual(DEFAULT_LIMITS);
    const limits = readLimits({ maxRemoved: 40, maxChangedDay: 60, maxEqualNames: 12 });
    expect(limits.removed).toEqual({ live: 40, day: 40, first: null });
    expect(limits.changed).toEqual({ live: 50, day: 60, first: null });
    expect(limits.equal_names).toEqual({ live: 12, day: 12, first: 12 });
    expect(readLimits({ maxRemoved: 10 }).removed).toEqual({ live: 10, day: 30, first: null });
    expect(GUARD_CODES).toHaveLength(10);
  });
});

describe('a compiled release', () => {
  it('tells the guards what its stores would', async () => {
    const next = [...first(30, without(7), northwards), ...storesFrom(300, 304).map(hidden)];
    const [live, after] = [await compileStores(STORES), await compileStores(next)];
    const [before, reader] = [new ReleaseReader(live), new ReleaseReader(after)];
    const change = measureChange(await readPlacedStores(before), await readPlacedStores(reader));
    expect(change).toEqual(measureChange(seen(STORES), seen(next)));
    expect(change).toEqual({ stores: 200, removed: 7, changed: 30, shown: 200, moved: 30 });
    expect(await reader.figures()).toEqual(seen(next).figures);
  });
});

function toPointOf(other: SourceStore | undefined) {
  const point = other?.geo.main.point ?? { lat: 0, lng: 0 };
  return at(({ lat, lng }) => (lat === point.lat && lng === point.lng ? { lat, lng } : point));
}

function pairName(store: SourceStore, index: number): SourceStore {
  return withName(`Branch ${Math.floor(index / 2)}`)(store);
}
