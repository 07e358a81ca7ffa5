import { lstat, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeIdentity, STORE_LIMIT } from '../../fixtures/generator/identity.ts';
import { writeStores } from '../../fixtures/generator/ndjson-file.ts';
import { Random } from '../../fixtures/generator/random.ts';
import { generateStore, generateStores } from '../../fixtures/generator/store.ts';
import {
  languageFields,
  mirrorFields,
  neutralFields,
  responseLocation,
} from '../../scripts/compile/derive-store.ts';
import { type SourceStore, sourceStoreSchema } from '../../scripts/compile/source-store.ts';

const COMMON = { seed: 1, languages: null };

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'fixtures-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** Bytes of the whole store in its default language, as a partner gets it. */
function renderedSize(store: SourceStore): number {
  const language = store.localization.default;
  const shown = store.geo.displayAddress ? store.geo : null;
  const locations = shown?.rentalPoints.map((point) => responseLocation(point, language, language));
  const response = {
    ...neutralFields(store),
    ...languageFields(store, language),
    ...mirrorFields(shown?.main ?? null),
    geo: {
      location: shown ? responseLocation(shown.main, language, language) : null,
      locations: locations && locations.length > 0 ? locations : null,
    },
  };
  return Buffer.byteLength(JSON.stringify(response));
}

describe('generated stores', () => {
  it('pass the source schema', () => {
    for (const languages of [null, 1, 8]) {
      for (const store of generateStores(300, { seed: 3, languages })) {
        expect(sourceStoreSchema.safeParse(store).error?.issues, store.slug).toBeUndefined();
      }
    }
  });

  it('depend on the seed and their number alone', () => {
    const ten = [...generateStores(10, COMMON)];
    expect([...generateStores(100, COMMON)].slice(0, 10)).toEqual(ten);
    expect(generateStore(7, COMMON)).toEqual(ten[7]);
    expect(generateStore(7, { ...COMMON, seed: 2 })).not.toEqual(ten[7]);
  });

  it('have unique ids and slugs', () => {
    const count = 5000;
    const stores = [...generateStores(count, COMMON)];
    expect(new Set(stores.map((store) => store.id)).size).toBe(count);
    expect(new Set(stores.map((store) => store.slug)).size).toBe(count);
    expect(stores.filter((store) => !/^[0-9a-f]{24}$/.test(store.id))).toEqual([]);
  });

  it('have ids and slugs that stay unique up to a million stores', () => {
    const random = new Random(1, 0);
    // By the number that the text stands for: texts in a set take seconds.
    const counters = new Uint8Array(16 ** 6);
    const suffixes = new Uint8Array(36 ** 5);
    const repeated: number[] = [];
    for (let number = 0; number < STORE_LIMIT; number++) {
      const { id, suffix } = makeIdentity(random, number);
      const counter = Number.parseInt(id.slice(-6), 16);
      const rank = Number.parseInt(suffix, 36);
      // No number stands for an ill-formed text, and nothing was seen there.
      const isNew = counters[counter] === 0 && suffixes[rank] === 0 && suffix.length === 5;
      if (!isNew) repeated.push(number);
      counters[counter] = 1;
      suffixes[rank] = 1;
    }
    expect(STORE_LIMIT).toBe(1_000_000);
    expect(repeated).toEqual([]);
    expect(() => generateStore(STORE_LIMIT, COMMON)).toThrow(
      'store numbers go from 0 to 999999, got 1000000',
    );
  });

  it('are about 9 kB each in one language, whatever the number of languages', () => {
    for (const languages of [null, 8]) {
      const sizes = [...generateStores(1000, { seed: 5, languages })].map(renderedSize);
      const mean = sizes.reduce((sum, size) => sum + size, 0) / sizes.length;
      expect(mean).toBeGreaterThan(8500);
      expect(mean).toBeLessThan(9500);
    }
  });

  it('are spread as in life', () => {
    const stores = [...generateStores(2000, COMMON)];
    const share = (has: (store: SourceStore) => boolean) =>
      stores.filter(has).length / stores.length;
    expect(share((store) => !store.geo.displayAddress)).toBeCloseTo(0.05, 1);
    expect(share((store) => store.reviews.external === null)).toBeCloseTo(0.1, 1);
    expect(share((store) => store.geo.rentalPoints.length <= 2)).toBeGreaterThan(0.8);
    expect(share((store) => typeof store.pricing.tax.name === 'object')).toBeCloseTo(0.3, 1);
    const counts = new Set(stores.map((store) => store.localization.available.length));
    expect([...counts].sort()).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  });

  it('have all the languages that are asked for', () => {
    for (const store of generateStores(50, { seed: 1, languages: 8 })) {
      expect(store.localization.available).toHaveLength(8);
      expect(Object.keys(store.profile.description)).toEqual(store.localization.available);
    }
  });
});

describe('writing', () => {
  it('gives the same bytes for the same seed, and a prefix for a smaller count', async () => {
    const write = async (name: string, count: number) => {
      await writeStores(generateStores(count, COMMON), path.join(folder, name));
      return readFile(path.join(folder, name), 'utf8');
    };
    const hundred = await write('hundred.ndjson', 100);
    expect(await write('again.ndjson', 100)).toBe(hundred);
    expect(hundred.startsWith(await write('ten.ndjson', 10))).toBe(true);
    expect(hundred.split('\n')).toHaveLength(101);
  });

  it('gzips files whose name says so', async () => {
    const file = path.join(folder, 'stores.ndjson.gz');
    const written = await writeStores(generateStores(130, COMMON), file);
    const bytes = await readFile(file);
    expect(written).toEqual({ stores: 130, bytes: bytes.length });
    expect(gunzipSync(bytes).toString()).toBe(
      [...generateStores(130, COMMON)].map((store) => `${JSON.stringify(store)}\n`).join(''),
    );
  });

  it('leaves nothing behind when it fails', async () => {
    const file = path.join(folder, 'failed.ndjson');
    const failing = (function* () {
      yield* generateStores(100, COMMON);
      throw new Error('no more stores');
    })();
    await expect(writeStores(failing, file)).rejects.toThrow('no more stores');
    expect((await readdir(folder)).filter((name) => name.startsWith('failed'))).toEqual([]);
  });

  it('keeps the file that was there when it fails', async () => {
    const file = path.join(folder, 'kept.ndjson');
    await writeFile(file, 'as before');
    const interruption = new AbortController();
    const stop = () => interruption.abort(new Error('stopped'));
    const writing = writeStores(generateStores(1000, COMMON), file, {
      onStores: stop,
      signal: interruption.signal,
    });
    await expect(writing).rejects.toThrow('stopped');
    expect(await readFile(file, 'utf8')).toBe('as before');
  });

  it('writes through a link instead of replacing it', async () => {
    const target = path.join(folder, 'target.ndjson');
    const link = path.join(folder, 'link.ndjson');
    await writeFile(target, '');
    await symlink(target, link);
    await writeStores(generateStores(2, COMMON), link);
    expect((await lstat(link)).isSymbolicLink()).toBe(true);
    expect((await readFile(target, 'utf8')).split('\n')).toHaveLength(3);
  });

  it('tells how far it is', async () => {
    const told: number[] = [];
    const file = path.join(folder, 'told.ndjson');
    await writeStores(generateStores(130, COMMON), file, { onStores: (done) => told.push(done) });
    expect(told).toEqual([64, 128, 130]);
  });
});
