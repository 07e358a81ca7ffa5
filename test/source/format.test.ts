/** The source format as programs and people read it: as good as the schema that validates. */
import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FULL_STORE, MINIMAL_STORE } from '../../fixtures/example-stores.ts';
import { sourceStoreSchema } from '../../scripts/compile/source-store.ts';
import { sourceFields, sourceJsonSchema } from '../../scripts/source/source-schema.ts';
import { PAGE_COMMAND, PAGE_FILE, sourcePage } from '../../scripts/source-format/page.ts';
import { storeWith, validate } from '../support/faulty-sources.ts';
import { FIXTURE_STORES } from '../support/fixture-stores.ts';
import { useSnapshotTool } from '../support/snapshot-tool.ts';
import { randomStores } from '../support/stores/random-stores.ts';
import { valuesAt } from '../support/values-at.ts';
import { STORE_CASES } from './support/store-cases.ts';

const ajv = new Ajv2020({ strictTypes: false });
addFormats.default(ajv);
const isValid = ajv.compile(sourceJsonSchema());

/** Kinds of faults that the JSON Schema does not tell, but the form of a code. */
const BEYOND = new Set(['default_language_unavailable', 'unknown_time_zone', 'unknown_currency']);

/** Links may be empty or relative, days may be none of the month, and letters may be written otherwise. */
const isUntold = (value: unknown, message: string) =>
  /^expected (?:no URL but|Unicode NFC|a slug without)/.test(message) ||
  String(value).startsWith('2023-02-29');

describe('the JSON Schema', () => {
  it('takes every good store', () => {
    for (const store of [...FIXTURE_STORES, MINIMAL_STORE, FULL_STORE]) {
      expect(isValid(store), JSON.stringify(isValid.errors)).toBe(true);
    }
    fc.assert(
      fc.property(randomStores, (stores) => stores.every((store) => isValid(store))),
      { numRuns: 50, seed: 20261122 },
    );
  });

  it.each(STORE_CASES.filter(([, value, kind]) => value === 'eur' || !BEYOND.has(kind)))(
    'refuses %s = %j',
    (path, value, _kind, message) => {
      expect(isValid(storeWith(1, { [path]: value }))).toBe(isUntold(value, message));
    },
  );

  it('is what the command prints', async () => {
    const { stdout } = await tool.snapshot(['schema']);
    expect(JSON.parse(stdout)).toEqual(JSON.parse(JSON.stringify(sourceJsonSchema())));
    expect(JSON.parse((await tool.snapshot(['schema', '--json'])).stdout)).toEqual(
      JSON.parse(stdout),
    );
  });
});

const tool = useSnapshotTool();

describe('the page', () => {
  it(`is what the schema makes of it: ${PAGE_COMMAND}`, () => {
    const page = readFileSync(new URL(`../../${PAGE_FILE}`, import.meta.url), 'utf8');
    expect(page).toBe(sourcePage());
  });

  it('says of every field what it is for', () => {
    const fields = sourceFields();
    expect(fields.length).toBeGreaterThan(180);
    for (const { path, schema } of fields) expect(schema.description, path).toBeTruthy();
  });

  it('leads to stores that are good: one with nothing in it, one with everything', async () => {
    const stores = [MINIMAL_STORE, FULL_STORE].map((store) => JSON.stringify(store));
    for (const store of stores) expect((await validate(store)).faults).toEqual([]);
    expect(sourceStoreSchema.parse(FULL_STORE)).toEqual(FULL_STORE);
    for (const { path, schema, isNullable } of sourceFields()) {
      const [least, most] = [valuesAt(MINIMAL_STORE, path), valuesAt(FULL_STORE, path)];
      expect(most.length, path).toBeGreaterThan(0);
      expect(most, path).not.toContain(null);
      if (isNullable) expect(least.every((value) => value === null)).toBe(true);
      const isFree = schema.items && path !== 'localization.available';
      if (isFree) expect(least.flat(), path).toEqual([]);
      if (schema.items) expect(most.flat().length, path).toBeGreaterThan(0);
    }
  });
});
