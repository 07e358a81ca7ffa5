/**
 * A model with more languages or verticales: it works, or it is refused by the name of the list. The
 * compiler and the Worker's code are bundled with other lists, and a store is compiled and asked for.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeRecord } from '../../scripts/compile/compile-record.ts';
import { appendField } from '../../scripts/compile/record-text.ts';
import { LANGUAGES, VERTICALES } from '../../src/model/enumerations.ts';
import { MAX_LOCATIONS } from '../../src/snapshot/record-layout.ts';
import { type Edit, loadEdited } from '../support/bundle.ts';
import { buildLocation, buildStore } from '../support/stores/store-builder.ts';

type Tools = typeof import('./support/wider-tools.ts');

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'wider-model-'));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

/** Words of a list that is long enough: what it has, then invented ones. */
function words(list: readonly string[], count: number, invent: (n: number) => string): string[] {
  return [...list, ...Array.from({ length: count - list.length }, (_, n) => invent(n))];
}

/** Invented ones have codes that no language has. */
const languages = (count: number) =>
  words(LANGUAGES, count, (n) => `q${letter(Math.floor(n / 26))}${letter(n % 26)}`);
const letter = (n: number) => String.fromCharCode('a'.charCodeAt(0) + n);
const verticales = (count: number) => words(VERTICALES, count, (n) => `WORD_${n}`);

const asList = (name: string, list: readonly string[]): Edit => ({
  file: 'model/enumerations.ts',
  was: new RegExp(`(?<=export const ${name} = )\\[[^\\]]*\\](?= as const)`, 'g'),
  is: JSON.stringify(list),
});

async function load(name: string, list: readonly string[]): Promise<Tools> {
  const outfile = join(folder, `${name}-${list.length}.cjs`);
  return (await loadEdited(
    resolve(import.meta.dirname, 'support/wider-tools.ts'),
    asList(name, list),
    outfile,
  )) as Tools;
}

/** Compiles stores, some with two rental points, and answers for them as the Worker does. */
async function serve(tools: Tools, edit: (store: object, number: number) => object) {
  const stores = Array.from({ length: 9 }, (_, number) => {
    const store = buildStore(number + 1);
    const rentalPoints =
      number % 2 === 0 ? [] : [buildLocation('a', 48, 7), buildLocation('b', 49, 8)];
    const edited = edit({ ...store, geo: { ...store.geo, rentalPoints } }, number);
    return tools.sourceStoreSchema.parse(edited);
  });
  return tools.serveStores(stores);
}

describe.each([9, 11, 33])('%i languages', (count) => {
  it('are all answered', async () => {
    const all = languages(count);
    const tools = await load('LANGUAGES', all);
    const description = Object.fromEntries(all.map((word) => [word, `in ${word}`]));
    const ask = await serve(tools, (store) => ({
      ...store,
      profile: { ...buildStore(1).profile, description },
      localization: { default: 'fr', available: all },
    }));
    for (const lang of [all[0], all[7], all[8], all.at(-1)]) {
      const { docs } = await ask(
        `lang=${lang}&fields=profile.description,localization.current,geo`,
      );
      expect(docs).toHaveLength(9);
      for (const doc of docs) {
        expect(doc.profile.description).toBe(`in ${lang}`);
        expect(doc.localization.current).toBe(lang);
      }
      expect(docs[1].geo.locations.map(({ slug }: { slug: string }) => slug)).toEqual(['a', 'b']);
    }
  });
});

describe.each([17, 33])('%i verticales', (count) => {
  it('are told apart', async () => {
    const all = verticales(count);
    const [first, last] = [all[0] as string, all.at(-1) as string];
    const held = (number: number) => (number < 3 ? [last] : number < 6 ? [first, last] : [first]);
    const tools = await load('VERTICALES', all);
    const ask = await serve(tools, (store, number) => ({
      ...store,
      profile: { ...buildStore(1).profile, verticales: held(number) },
    }));
    const total = async (query: string) => (await ask(`${query}&limit=0`)).total;
    expect(await total(`verticale.equals=${last}`)).toBe(6);
    expect(await total(`verticale.in=${last},${first}`)).toBe(9);
    expect(await total(`verticale.in=${all[count - 2]}`)).toBe(0);
    expect(await total(`verticale.equals=${first}&verticale.notIn=${last}`)).toBe(3);
  });
});

it('a field that a store lacks is refused, not written as no JSON', () => {
  const { name, ...profile } = buildStore(1).profile;
  expect(() => appendField('profile', { name, ...profile }, 0)).not.toThrow();
  expect(() => appendField('profile', profile, 0)).toThrow('lacks the field "name"');
});

describe('a list that is too long', () => {
  it('of languages is refused by its name', async () => {
    const message = 'LANGUAGES has 256: records hold at most 255';
    await expect(load('LANGUAGES', languages(256))).rejects.toThrow(message);
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
