/** The source format as programs and people read it; store-validation.test.ts has what the schema refuses. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { FULL_STORE, MINIMAL_STORE } from '../../fixtures/example-stores.ts';
import { sourceStoreSchema } from '../../scripts/compile/source-store.ts';
import { sourceFields, sourceJsonSchema } from '../../scripts/source/source-schema.ts';
import { PAGE_FILE, sourcePage } from '../../scripts/source-format/page.ts';
import { validate } from '../support/faulty-sources.ts';
import { useSnapshotTool } from '../support/snapshot-tool.ts';
import { valuesAt } from '../support/stores/store-builder.ts';

const tool = useSnapshotTool();

it('the JSON Schema is what the command prints', async () => {
  for (const options of [[], ['--json']]) {
    const { stdout } = await tool.snapshot(['schema', ...options]);
    expect(JSON.parse(stdout)).toEqual(JSON.parse(JSON.stringify(sourceJsonSchema())));
  }
});

describe('the page', () => {
  it('is what the schema makes of it: npm run source-format', () => {
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
