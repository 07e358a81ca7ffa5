/**
 * A model with more languages, verticales and settings: it works, or it is refused by the name of the list.
 * The compiler and the Worker's code are loaded with another model, and stores are compiled and asked for.
 */
import { afterAll, describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import type { Settings } from '../../client/src/query.ts';
import { searchOf } from '../../client/src/search.ts';
import { changed } from '../../fixtures/changed-store.ts';
import { writeRecord } from '../../scripts/compile/compile-record.ts';
import { RecordText } from '../../scripts/compile/record-text.ts';
import { LANGUAGES, VERTICALES } from '../../src/model/enumerations.ts';
import type { Store } from '../../src/model/store.ts';
import { MAX_LOCATIONS } from '../../src/snapshot/record.ts';
import { buildStore } from '../support/stores/store-builder.ts';
import { storeAt } from '../support/stores/store-variants.ts';

const letter = (n: number) => String.fromCharCode('a'.charCodeAt(0) + n);

/** What the list has, then invented words. */
function widened(list: readonly string[], count: number): string[] {
  const added = Array.from({ length: count - list.length }, (_, n) => n);
  // No language has such a code.
  return [...list, ...added.map((n) => `q${letter(Math.floor(n / 26))}${letter(n % 26)}`)];
}

function load(languages: readonly string[], verticales: readonly string[]) {
  vi.resetModules();
  vi.doMock('../../src/model/enumerations.ts', async (original) => ({
    ...(await original<object>()),
    LANGUAGES: languages,
    isLanguage: (word: string) => languages.includes(word),
    VERTICALES: verticales,
  }));
  return import('./support/wider-tools.ts');
}

it.each([
  [9, 17],
  [11, 17],
  [33, 33],
])('%i languages are all answered, and %i verticales told apart', async (many, kinds) => {
  const [languages, verticales] = [widened(LANGUAGES, many), widened(VERTICALES, kinds)];
  const [first, last] = [verticales[0], verticales.at(-1)];
  const { serveStores, sourceStoreSchema } = await load(languages, verticales);
  const description = Object.fromEntries(languages.map((word) => [word, `in ${word}`]));
  const held = [[last], [first, last], [first]];
  const stores = Array.from({ length: 9 }, (_, number) => {
    const alone = storeAt(number + 1, [48, 7]);
    const store = number % 2 === 0 ? alone : storeAt(number + 1, [48, 7], [48, 7], [49, 8]);
    const verticales = held[Math.floor(number / 3)];
    const profile = { ...store.profile, description, verticales };
    return sourceStoreSchema.parse(
      changed(store, { profile, 'localization.available': languages }),
    );
  });
  const ask = await serveStores(stores);
  for (const lang of [languages[0], languages[7], languages[8], languages.at(-1)]) {
    const fields = 'profile.description,localization.current,geo';
    const { docs } = await ask(`lang=${lang}&fields=${fields}`);
    expect(docs).toHaveLength(9);
    for (const doc of docs) {
      expect(doc.profile.description).toBe(`in ${lang}`);
      expect(doc.localization.current).toBe(lang);
    }
    const slugs = docs[1].geo.locations.map(({ slug }: { slug: string }) => slug);
    expect(slugs).toEqual(['point-1', 'point-2']);
  }
  const total = async (query: string) => (await ask(`${query}&limit=0`)).total;
  expect(await total(`verticale.equals=${last}`)).toBe(6);
  expect(await total(`verticale.in=${last},${first}`)).toBe(9);
  expect(await total(`verticale.in=${verticales.at(-2)}`)).toBe(0);
  expect(await total(`verticale.equals=${first}&verticale.notIn=${last}`)).toBe(3);
});

describe('settings that are added to the model', () => {
  const helmetsSchema = z.strictObject({
    included: z.boolean().describe('Whether helmets are included.'),
    kind: z.enum(['CITY', 'ROAD']).describe('Kind of helmet.'),
    lent: z.boolean().nullable().describe('Whether helmets are lent. Null: not known.'),
    provider: z.enum(['ONE']).describe('There is only one.'),
    sizes: z.array(z.strictObject({ large: z.boolean() })).describe('Sizes.'),
  });
  type Helmets = z.infer<typeof helmetsSchema>;

  function loadWith(schema: z.ZodObject) {
    vi.resetModules();
    vi.doUnmock('../../src/model/enumerations.ts');
    vi.doMock('../../src/model/modules.ts', async (original) => {
      const { storeModulesSchema: modules } = await original<{ storeModulesSchema: z.ZodObject }>();
      return { storeModulesSchema: modules.extend({ helmets: schema }) };
    });
  }

  afterAll(() => vi.doUnmock('../../src/model/modules.ts'));

  it('are filtered by, documented, and in the type of the client, without another line', async () => {
    loadWith(helmetsSchema);
    const { serveStores, sourceStoreSchema } = await import('./support/wider-tools.ts');
    const held: Helmets[] = [
      { included: true, kind: 'CITY', lent: null, provider: 'ONE', sizes: [] },
      { included: true, kind: 'ROAD', lent: true, provider: 'ONE', sizes: [] },
      { included: false, kind: 'ROAD', lent: false, provider: 'ONE', sizes: [] },
    ];
    const ask = await serveStores(
      held.map((helmets, index) =>
        sourceStoreSchema.parse(buildStore(index + 1, { 'modules.helmets': helmets })),
      ),
    );
    const slugs = async (helmets: Settings<Helmets>) => {
      const asked: Settings<{ modules: { helmets: Helmets } }> = { modules: { helmets } };
      const { docs } = await ask(searchOf(asked));
      return docs.map(({ slug }: { slug: string }) => slug);
    };
    expect(await slugs({ included: true })).toEqual(['store-1', 'store-2']);
    expect(await slugs({ included: false })).toEqual(['store-3']);
    expect(await slugs({ kind: ['ROAD'] })).toEqual(['store-2', 'store-3']);
    expect(await slugs({ kind: ['ROAD', 'CITY'] })).toHaveLength(3);
    // Not known is neither.
    expect(await slugs({ lent: true })).toEqual(['store-2']);
    expect(await slugs({ lent: false })).toEqual(['store-3']);
    expect(await slugs({ included: true, kind: ['ROAD'], lent: true })).toEqual(['store-2']);

    const { paths } = await import('../../web/openapi/document.ts');
    const { parameters = [] } = paths()['/v2/external/stores']?.get ?? {};
    const described = parameters.filter((each) => 'name' in each && /helmets/.test(each.name));
    expect(described).toMatchObject([
      {
        name: 'modules.helmets.included',
        'x-group': 'settings',
        schema: { type: 'boolean' },
        description: expect.stringContaining('Whether helmets are included.'),
      },
      { name: 'modules.helmets.kind', schema: { items: { enum: ['CITY', 'ROAD'] } } },
      {
        name: 'modules.helmets.lent',
        schema: { type: 'boolean' },
        description: expect.stringContaining('Null: not known.'),
      },
    ]);
    const { contractTypes } = await import('../../scripts/client/contract-types.ts');
    expect(contractTypes()).toMatch(/included: boolean;/);
  });

  it('are refused when stores are compiled, if they have too many values', async () => {
    const words = Array.from({ length: 257 }, (_, index) => `word-${index}`);
    loadWith(z.strictObject({ color: z.enum(words) }));
    const { writeSettings } = await import('../../src/snapshot/settings-table.ts');
    const message = 'modules.helmets.color has 257 values: MAX_VALUES is 256';
    expect(() => writeSettings([])).toThrow(message);
  });
});

it('a field that a store lacks is refused, not written as no JSON', () => {
  const { name, ...profile } = buildStore(1).profile;
  const write = (lacking: object) => () =>
    new RecordText().appendFields(['profile'], { profile: lacking as Store['profile'] }, new Map());
  expect(write({ name, ...profile })).not.toThrow();
  expect(write(profile)).toThrow('lacks the field "name"');
});

describe('a list that is too long', () => {
  it('of languages is refused by its name', async () => {
    const message = 'LANGUAGES has 256: records hold at most 255';
    await expect(load(widened(LANGUAGES, 256), VERTICALES)).rejects.toThrow(message);
  });

  it('of locations is refused when the store is compiled', () => {
    const parts = { variantOfLanguage: [], bounds: [], variants: [], rentalPoints: [], slots: [] };
    const write = (count: number) => () => {
      const locations = Array.from({ length: count }, () => [0, 0] as const);
      return writeRecord({ ...parts, locations }, new Uint8Array());
    };
    expect(write(MAX_LOCATIONS)).not.toThrow();
    expect(write(MAX_LOCATIONS + 1)).toThrow('has 65536 locations: MAX_LOCATIONS is 65535');
  });
});
