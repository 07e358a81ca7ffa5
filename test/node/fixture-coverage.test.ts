import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { chooseLanguage } from '../../scripts/compile/language-choice.ts';
import {
  type LanguageMap,
  type LocalizedText,
  type SourceStore,
  sourceStoreSchema,
} from '../../scripts/compile/source-store.ts';
import { isLanguage, LANGUAGES, VERTICALES } from '../../src/model/enumerations.ts';
import { FIXTURE_STORES, those } from './fixture-stores.ts';
import { unseenBranches } from './schema-coverage.ts';

describe('fixtures/stores.ndjson', () => {
  it('passes the source schema, without duplicate ids or slugs', () => {
    for (const store of FIXTURE_STORES) {
      expect(sourceStoreSchema.safeParse(store).error?.issues, store.slug).toBeUndefined();
    }
    expect(FIXTURE_STORES.length).toBeGreaterThanOrEqual(100);
    expect(new Set(FIXTURE_STORES.map((store) => store.id)).size).toBe(FIXTURE_STORES.length);
    expect(new Set(FIXTURE_STORES.map((store) => store.slug)).size).toBe(FIXTURE_STORES.length);
  });

  it('shows every enumeration value, boolean, null, empty list and form of text', () => {
    expect(unseenBranches(sourceStoreSchema, FIXTURE_STORES)).toEqual([]);
  });
});

describe('the coverage check', () => {
  it('names what is missing', () => {
    const schema = z.strictObject({
      word: z.enum(['a', 'b']),
      flag: z.boolean(),
      list: z.array(z.number().nullable()),
    });
    expect(unseenBranches(schema, [{ word: 'a', flag: true, list: [1] }])).toEqual([
      'word: b',
      'flag: false',
      'list: empty',
      'list: null',
    ]);
  });
});

describe('languages', () => {
  it('has every language as default, and 1 to 8 of them', () => {
    const defaults = new Set(FIXTURE_STORES.map((store) => store.localization.default));
    expect(defaults).toEqual(new Set(LANGUAGES));
    const counts = new Set(FIXTURE_STORES.map((store) => store.localization.available.length));
    expect(counts).toEqual(new Set([1, 2, 3, 4, 5, 6, 7, 8]));
    expect(those(({ localization: { available } }) => !available.includes('fr'))).not.toEqual([]);
  });

  it('has descriptions that lack what is listed as available', () => {
    const lacks = ({ profile, localization }: SourceStore) =>
      localization.available.filter((language) => !(language in profile.description));
    expect(those((store) => lacks(store).length >= 6)).not.toEqual([]);
    expect(those((store) => lacks(store).includes('fr'))).not.toEqual([]);
    expect(those((store) => lacks(store).includes(store.localization.default))).not.toEqual([]);
    const isFirst = (store: SourceStore) =>
      LANGUAGES.every(
        (language) =>
          language in store.profile.description ||
          chooseLanguage(store, language) === Object.keys(store.profile.description)[0],
      );
    expect(
      those(
        (store) =>
          isFirst(store) &&
          !('fr' in store.profile.description) &&
          !(store.localization.default in store.profile.description) &&
          Object.keys(store.profile.description).length > 1,
      ),
    ).not.toEqual([]);
  });

  it('has language maps of which only the first entry is left', () => {
    const onlyFirst = (text: LocalizedText, { localization, profile }: SourceStore) =>
      typeof text !== 'string' &&
      Object.keys(text).length > 1 &&
      !['fr', localization.default, ...Object.keys(profile.description)].some(
        (language) => language in text,
      );
    const found = (texts: (store: SourceStore) => readonly LocalizedText[]) =>
      those((store) => texts(store).some((text) => onlyFirst(text, store)));
    expect(found((store) => [store.pricing.tax.name])).not.toEqual([]);
    expect(found((store) => [store.geo.main.name])).not.toEqual([]);
    expect(
      found((store) => store.booking.fixedDurations.durations.map(({ label }) => label)),
    ).not.toEqual([]);
    const orders = FIXTURE_STORES.flatMap(({ booking }) =>
      booking.fixedDurations.durations.map(({ label }) => firstKey(label)),
    );
    expect(orders).toEqual(expect.arrayContaining(['it', 'nl']));
  });

  it('has maps with French but not the current language, and with the default alone of the three', () => {
    const taxNames = FIXTURE_STORES.map(
      (store) => [store.pricing.tax.name, store.localization] as const,
    );
    const maps = taxNames.filter(
      (entry): entry is [LanguageMap, SourceStore['localization']] => typeof entry[0] !== 'string',
    );
    expect(
      maps.some(([map, { default: main }]) => map.fr !== undefined && map[main] === undefined),
    ).toBe(true);
    expect(
      maps.some(
        ([map, { default: main, available }]) =>
          map.fr === undefined &&
          map[main] !== undefined &&
          available.some((language) => map[language] === undefined),
      ),
    ).toBe(true);
  });
});

describe('settings', () => {
  it('has every verticale alone, all together, and none', () => {
    const sets = FIXTURE_STORES.map((store) => store.profile.verticales);
    const alone = new Set(sets.filter((set) => set.length === 1).flat());
    expect(alone).toEqual(new Set(VERTICALES));
    expect(sets.some((set) => set.length === VERTICALES.length)).toBe(true);
    expect(sets.some((set) => set.length === 0)).toBe(true);
  });

  it('has numbers with decimals', () => {
    const fractional = (value: number) => !Number.isInteger(value);
    expect(those((store) => fractional(store.reviews.external?.rating ?? 0))).not.toEqual([]);
    expect(those((store) => fractional(store.pricing.tax.value))).not.toEqual([]);
    expect(those((store) => fractional(store.booking.rules.leadTime.minHours))).not.toEqual([]);
  });

  it('has times with Z and with offsets, and equal instants written differently', () => {
    const created = FIXTURE_STORES.map((store) => store.metadata.timestamps.createdAt);
    expect(created.some((time) => time.endsWith('Z'))).toBe(true);
    expect(created.some((time) => /\+\d\d:\d\d$/.test(time))).toBe(true);
    expect(created.some((time) => /-\d\d:\d\d$/.test(time))).toBe(true);
    const sameInstant = Map.groupBy(new Set(created), (time) => Date.parse(time));
    expect([...sameInstant.values()].some((times) => times.length > 1)).toBe(true);
  });

  it('has several time zones and currencies', () => {
    expect(new Set(FIXTURE_STORES.map((store) => store.temporal.timezone)).size).toBeGreaterThan(
      10,
    );
    expect(
      new Set(FIXTURE_STORES.map((store) => store.pricing.currency.isoCode)).size,
    ).toBeGreaterThan(4);
  });
});

function firstKey(text: LocalizedText): string | undefined {
  return typeof text === 'string' ? undefined : Object.keys(text).find(isLanguage);
}
