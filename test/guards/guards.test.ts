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
import { type Circumstances, judged, namesOf } from './support/guard-stage.ts';

type Stores = readonly SourceStore[];

const STORES = storesFrom(1, 200);
const THIRTY = storesFrom(1, 30);
const FEW = storesFrom(1, 10);
const TWO = storesFrom(1, 2);

/** Without the first `count`. */
const without = (count: number, stores: Stores = STORES) => stores.slice(count);

/** The first so many of the stores changed. */
const changed = (change: StoreChange, stores: Stores = STORES) => {
  return (count: number) => first(count, stores, change);
};

const northwards = at(({ lat, lng }) => ({ lat: lat + 0.001, lng }));
const corrected = at(({ lat, lng }) => ({ lat: lat + 0.0008, lng }));
const shown = changing('geo.displayAddress', true);
const onlyFrench = changing('localization.available', ['fr']);
const delivered = (price: number) =>
  changing('modules.delivery.ranges', [{ min: 0, max: 5, price, specificPrices: [] }]);

const FREE = STORES.map(delivered(0));
const DEAR = STORES.map(delivered(5));
const HALF_HIDDEN = first(100, STORES, hidden);
const MOVED = first(30, STORES, northwards);
const WINTER = STORES.map(withDescription('Winter'));

async function refused(
  next: Stores,
  live: Stores | null,
  dayAgo: Stores | null = null,
  more: Circumstances = {},
): Promise<string[]> {
  return namesOf(await judged(next, live, dayAgo, more));
}

const allowed = (name: string, share: number) => ({ allowed: new Map([[name, share]]) });

type Next = (count: number) => SourceStore[];

describe('an export that makes no sense', () => {
  it.each<[what: string, most: number, Next, names: string, live?: Stores, dayAgo?: Stores]>([
    ['a fifth gone', 40, without, 'removed'],
    ['three in ten added', 60, (count) => [...STORES, ...storesFrom(201, 200 + count)], 'added'],
    ['half changed', 100, changed(rebranded), 'other'],
    ['5 % moved by 111 m', 10, changed(northwards), 'position'],
    [
      'twice as many moved in a day of small steps',
      8,
      (count) => [...MOVED.slice(0, 30), ...first(count, without(30, MOVED), northwards)],
      'position',
      MOVED,
      first(18, STORES, northwards),
    ],
    ['5 % hidden', 10, changed(hidden), 'addresses'],
    ['5 % of those hidden shown', 5, changed(shown, HALF_HIDDEN), 'shown', HALF_HIDDEN],
    ['5 % without a name', 10, changed(withName('')), 'names, empty-names'],
    ['5 % more of one name', 11, changed(withName('Rent & Ride')), 'equal-names'],
    ['5 % undescribed', 10, changed(withDescription('')), 'descriptions, empty-descriptions'],
    ['a tenth without a verticale', 20, changed(withVerticales([])), 'verticale-bike'],
    ['a tenth without a language', 20, changed(onlyFrench), 'language-en'],
    ['15 % with a new verticale', 30, changed(withVerticales(['BIKE', 'CAR'])), 'verticale-car'],
    ['two of thirty moved', 2, changed(northwards, THIRTY), 'position', THIRTY],
    ['nine of ten without a name', 9, changed(withName(''), FEW), 'names, empty-names', FEW],
  ])(
    'is told from one with %s by one store more',
    async (_what, most, next, names, live, dayAgo) => {
      const against = dayAgo ? 'day' : 'live';
      expect(await refused(next(most), live ?? STORES, dayAgo)).toEqual([]);
      const refusals = names.split(', ').map((name) => `${name} ${against}`);
      expect(await refused(next(most + 1), live ?? STORES, dayAgo)).toEqual(refusals);
    },
  );

  it.each<[string, StoreChange, string[]]>([
    ['of one name', withName('Rent & Ride'), ['equal-names']],
    ['at 0, 0', at(() => ({ lat: 0, lng: 0 })), ['zero-points', 'far-points', 'equal-points']],
    ['without a name', withName(''), ['empty-names']],
  ])('is a first one with more than 5 % %s', async (_name, change, names) => {
    expect(await refused(first(10, STORES, change), null)).toEqual([]);
    const refusals = await refused(first(12, STORES, change), null);
    expect(refusals.toSorted()).toEqual(names.map((name) => `${name} first`).toSorted());
  });

  it.each<[what: string, Stores, Stores | null, string[], (Stores | null)?, Circumstances?]>([
    ['pins of four in ten put right by 89 m', first(80, STORES, corrected), STORES, []],
    ['a price for what was delivered free', first(20, FREE, delivered(5)), FREE, []],
    ['free delivery for a tenth', first(20, DEAR, delivered(0)), DEAR, ['prices live']],
    ['names used twice, as in chains, at first', STORES.map(pairName), null, []],
    ['all hidden at first', STORES.map(hidden), null, []],
    ['nine of ten stores gone', without(9, FEW), FEW, []],
    ['ten of ten stores gone', storesFrom(11, 20), FEW, ['removed live']],
    [
      'ten of ten with another verticale',
      FEW.map(withVerticales(['CAR'])),
      FEW,
      ['verticale-bike live'],
    ],
    ['ten of ten hidden', FEW.map(hidden), FEW, ['addresses live']],
    ['ten of ten changed and moved', FEW.map(northwards).map(rebranded), FEW, []],
    ['one name for nine of ten at first', first(9, FEW, withName('A')), null, []],
    ['one name for ten of ten at first', FEW.map(withName('A')), null, ['equal-names first']],
    ['two stores hidden and without a name', TWO.map(hidden).map(withName('')), TWO, []],
    ['two stores in the place of two others', storesFrom(3, 4), TWO, []],
    ['one text for all', WINTER, STORES, ['descriptions live', 'equal-descriptions live']],
    [
      'one text for all, descriptions allowed',
      WINTER,
      STORES,
      ['equal-descriptions live'],
      null,
      allowed('descriptions', 100),
    ],
    [
      '45 % gone, 44 % allowed',
      without(90),
      STORES,
      ['removed live'],
      STORES,
      allowed('removed', 44),
    ],
    ['45 % gone, 45 % allowed', without(90), STORES, [], STORES, allowed('removed', 45)],
    ['more gone in an hour than in a day', without(100), STORES, ['removed live'], without(40)],
    [
      'one store more gone after a day of losses, another guard passed in it',
      without(90),
      without(89),
      ['removed day'],
      STORES,
      { exempt: new Set(['position']) },
    ],
    [
      'one store more gone after a day of losses that was passed',
      without(90),
      without(89),
      [],
      STORES,
      { exempt: new Set(['removed']) },
    ],
  ])('is told from an ordinary one: %s', async (_what, next, live, names, dayAgo, more) => {
    expect(await refused(next, live, dayAgo, more)).toEqual(names);
  });

  it('is told by its rise, not by what was so before', async () => {
    const before = first(100, first(120, STORES, withName('')), withName('Rent & Ride'));
    const next = (count: number) =>
      before.map((store, index) =>
        index < 120 || index >= 120 + count
          ? store
          : withName(index % 2 ? '' : 'Rent & Ride')(store),
      );
    expect(await refused(next(20), before, null, allowed('names', 100))).toEqual([]);
    expect(await refused(next(22), before)).toEqual(
      ['names', 'empty-names', 'equal-names'].map((name) => `${name} live`),
    );
  });

  it('is refused once for each guard, where it is worst', async () => {
    expect(await judged(without(100), without(20), STORES)).toMatchObject([
      { name: 'removed', against: 'day', share: 50, limit: 40, enough: 50 },
    ]);
  });
});

describe('what is allowed', () => {
  it('passes those that lose a name, and those that get a new one', async () => {
    const next = first(13, first(49, STORES, withName('New')), withName('')).map(numbered);
    const refusals = await judged(next, STORES);
    expect(refusals.filter(({ name }) => name === 'names')).toMatchObject([
      { would: 'lose their names', share: 6.5, enough: 7 },
    ]);
    const left = await refused(next, STORES, null, allowed('names', 7));
    expect(left).toEqual(['empty-names live']);
  });

  it('passes the verticale that it names, and no other', async () => {
    const before = storesFrom(1, 60).map(withVerticales(['BIKE', 'SKI', 'CAR']));
    const next = first(12, before.map(withoutVerticale('SKI')), withoutVerticale('BIKE'));
    const refusals = await judged(next, before);
    expect(refusals).toMatchObject([
      { name: 'verticale-bike', would: 'lose the verticale BIKE', count: 12, of: 60, enough: 20 },
      { name: 'verticale-ski', would: 'lose the verticale SKI', count: 60, of: 60, enough: 100 },
    ]);
    expect(await refused(next, before, null, allowed('verticale-bike', 20))).toEqual([
      'verticale-ski live',
    ]);
  });
});

it('guards have names that options can take', () => {
  expect(new Set(GUARD_NAMES).size).toBe(GUARD_NAMES.length);
  for (const name of GUARD_NAMES) expect(name).toMatch(/^[a-z]+(-[a-z]+)*$/);
});

/** New names, each another one. */
function numbered(store: SourceStore, index: number): SourceStore {
  return store.profile.name === 'New' ? withName(`New ${index}`)(store) : store;
}

function pairName(store: SourceStore, index: number): SourceStore {
  return withName(`Branch ${Math.floor(index / 2)}`)(store);
}
