/** The words of the OpenAPI document: nothing is left undescribed, and twins of fields are named. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { FIELD_PATHS } from '../../src/model/field-paths.ts';
import { openStage } from '../support/worker/harness.ts';
import { OpenApiContract } from './support/openapi-contract.ts';

interface Schema {
  readonly description?: string;
  readonly deprecated?: boolean;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly enum?: readonly string[];
  readonly $ref?: string;
}

let contract: OpenApiContract;

afterAll(() => {
  vi.restoreAllMocks();
});

beforeAll(async () => {
  vi.spyOn(console, 'log').mockImplementation(() => {});
  contract = await OpenApiContract.servedBy(openStage());
});

const schemas = () => contract.document.components.schemas as Readonly<Record<string, Schema>>;

/** Every property below `schema` with its path; what a component holds is found there. */
function propertiesOf(schema: Schema, path: string): [path: string, property: Schema][] {
  const { properties = {}, items, anyOf = [] } = schema;
  const inner = [...anyOf, ...(items ? [items] : [])];
  return [
    ...inner.flatMap((each) => propertiesOf(each, path)),
    ...Object.entries(properties).flatMap(([key, property]): [string, Schema][] => {
      const at = `${path}.${key}`;
      return [[at, property], ...propertiesOf(property, at)];
    }),
  ];
}

const allProperties = () =>
  Object.entries(schemas()).flatMap(([name, schema]) => propertiesOf(schema, name));

describe('a deprecated field', () => {
  it('names the field that has taken its place, and says what nothing looks like', () => {
    const deprecated = allProperties().filter(
      ([path, each]) => each.deprecated && path.startsWith('Store.'),
    );
    expect(deprecated).toHaveLength(21);
    for (const [path, { description = '' }] of deprecated) {
      const [, twin = ''] = description.match(/^Deprecated, use `([\w.]+)`\. /) ?? [];
      expect([path, FIELD_PATHS.includes(twin)]).toEqual([path, true]);
      const rest = description.slice(description.indexOf('`. ') + 3);
      expect([path, rest]).toEqual([path, expect.stringMatching(/empty|0 means none/i)]);
    }
  });

  it('is empty, as what leads to a place, when address display is disabled', () => {
    const { Store, StoreReviews } = schemas();
    const external = StoreReviews?.properties?.external?.anyOf?.[0]?.properties;
    for (const field of ['lat', 'lng', 'address', 'addressComponents', 'placeId', 'mapsUrl']) {
      const { description } = Store?.properties?.[field] ?? external?.[field] ?? {};
      expect([field, description]).toEqual([
        field,
        expect.stringMatching(/(means none|empty)\b.* when address display is disabled/i),
      ]);
    }
  });
});
