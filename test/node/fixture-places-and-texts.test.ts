import { describe, expect, it } from 'vitest';
import type { SourceLocation } from '../../scripts/compile/source-store.ts';
import { FIXTURE_STORES, those } from './fixture-stores.ts';

const pointKey = ({ point }: SourceLocation) => `${point.lat} ${point.lng}`;

describe('places', () => {
  const locations = FIXTURE_STORES.filter((store) => store.geo.displayAddress).map((store) => ({
    main: store.geo.main,
    all: [store.geo.main, ...store.geo.rentalPoints],
  }));

  it('has 0 to 12 rental points', () => {
    const counts = new Set(FIXTURE_STORES.map((store) => store.geo.rentalPoints.length));
    expect([...counts].sort((a, b) => a - b)).toEqual(Array.from({ length: 13 }, (_, n) => n));
  });

  it('has hidden addresses, with rental points and without', () => {
    const hidden = FIXTURE_STORES.filter((store) => !store.geo.displayAddress);
    expect(hidden.some((store) => store.geo.rentalPoints.length === 0)).toBe(true);
    expect(hidden.some((store) => store.geo.rentalPoints.length > 0)).toBe(true);
    // A hidden store stands where a visible one does: a leak would be found by position.
    const visible = new Set(locations.map(({ main }) => pointKey(main)));
    expect(hidden.some((store) => visible.has(pointKey(store.geo.main)))).toBe(true);
  });

  it('has the antimeridian, both poles and the origin', () => {
    const points = locations.flatMap(({ all }) => all.map(({ point }) => point));
    const has = (holds: (point: SourceLocation['point']) => boolean) => points.some(holds);
    expect(has(({ lng }) => lng === 180)).toBe(true);
    expect(has(({ lng }) => lng === -180)).toBe(true);
    expect(has(({ lng }) => lng > 179.5 && lng < 180)).toBe(true);
    expect(has(({ lng }) => lng < -179.5 && lng > -180)).toBe(true);
    expect(has(({ lat }) => lat > 89.5)).toBe(true);
    expect(has(({ lat }) => lat === -90)).toBe(true);
    expect(has(({ lat, lng }) => lat === 0 && lng === 0)).toBe(true);
  });

  it('has locations that share a point, within a store and between stores', () => {
    const shared = Map.groupBy(locations, ({ main }) => pointKey(main));
    expect([...shared.values()].some((stores) => stores.length > 1)).toBe(true);
    expect(locations.some(({ all }) => new Set(all.map(pointKey)).size < all.length)).toBe(true);
    expect(
      locations.some((one) =>
        locations.some(
          (other) =>
            other !== one && one.all.slice(1).some((at) => pointKey(at) === pointKey(other.main)),
        ),
      ),
    ).toBe(true);
  });

  it('has equal distances: pairs on one parallel, to either side of a third', () => {
    const points = locations.map(({ main }) => main.point);
    const mirrored = points.filter((centre) =>
      points.some(
        (east) =>
          east.lat === centre.lat &&
          east.lng > centre.lng &&
          points.some(
            (west) =>
              west.lat === centre.lat &&
              Math.abs(centre.lng - west.lng - (east.lng - centre.lng)) < 1e-9,
          ),
      ),
    );
    expect(mirrored).not.toEqual([]);
  });
});

describe('texts', () => {
  const texts = FIXTURE_STORES.flatMap(({ profile }) => [
    profile.name,
    ...Object.values(profile.description),
  ]);

  it.each([
    ['quotes', /"/],
    ['backslashes', /\\/],
    ['line breaks', /\n/],
    ['control characters', /[^\P{Cc}\t\r\n]/u],
    ['line separators', /\u2028/],
    ['emoji', /\p{Extended_Pictographic}/u],
    ['joined emoji', /\u200d/],
    ['combining accents', /\p{Mark}/u],
    ['markup', /<\/script>/],
    ['Greek', /\p{Script=Greek}/u],
    ['Cyrillic', /\p{Script=Cyrillic}/u],
    ['Arabic', /\p{Script=Arabic}/u],
    ['Chinese', /\p{Script=Han}/u],
    ['Japanese', /\p{Script=Hiragana}/u],
    ['nothing at all', /^$/],
  ])('has %s', (_, pattern) => {
    expect(texts.filter((text) => pattern.test(text))).not.toEqual([]);
  });

  it('has names that differ in accent, case or number only', () => {
    const names = [...new Set(FIXTURE_STORES.map((store) => store.profile.name))];
    const differ = (a: string, b: string, sensitivity: 'base' | 'accent' | 'case') =>
      new Intl.Collator('en', { sensitivity, numeric: true }).compare(a, b) !== 0;
    const pair = (holds: (a: string, b: string) => boolean) =>
      names.some((a) => names.some((b) => a !== b && holds(a, b)));
    expect(pair((a, b) => differ(a, b, 'accent') && !differ(a, b, 'case'))).toBe(true);
    expect(pair((a, b) => differ(a, b, 'case') && !differ(a, b, 'accent'))).toBe(true);
    expect(names).toEqual(expect.arrayContaining(['Bike 2', 'Bike 10', 'Bike 02', 'bike 2']));
  });

  it('has page URLs with a query, a fragment and UTM parameters', () => {
    const urls = FIXTURE_STORES.map((store) => new URL(store.pageUrl));
    expect(urls.some(({ search, hash }) => search !== '' && hash === '')).toBe(true);
    expect(urls.some(({ search, hash }) => search === '' && hash !== '')).toBe(true);
    expect(urls.some(({ search, hash }) => search !== '' && hash !== '')).toBe(true);
    expect(urls.some(({ searchParams }) => searchParams.getAll('utm_source').length > 1)).toBe(
      true,
    );
    expect(urls.some(({ searchParams, hash }) => searchParams.has('utm_source') && hash)).toBe(
      true,
    );
  });

  it('has a store whose keys and language maps come in another order', () => {
    expect(those((store) => Object.keys(store)[0] === 'pageUrl')).not.toEqual([]);
  });
});
