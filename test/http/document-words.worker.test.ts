/** The words of the OpenAPI document: nothing is left undescribed, and twins of fields are named. */
import { beforeAll, describe, expect, it } from 'vitest';
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

beforeAll(async () => {
  contract = await OpenApiContract.servedBy(openStage());
});

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

describe('a deprecated field', () => {
  it('names the field that has taken its place, and says what nothing looks like', () => {
    const { Store } = contract.document.components.schemas as Readonly<Record<string, Schema>>;
    const deprecated = propertiesOf(Store as Schema, 'Store').filter(([, each]) => each.deprecated);
    expect(deprecated).toHaveLength(21);
    for (const [path, { description = '' }] of deprecated) {
      const [, twin = ''] = description.match(/^Deprecated, use `([\w.]+)`\. /) ?? [];
      expect([path, FIELD_PATHS.includes(twin)]).toEqual([path, true]);
      const rest = description.slice(description.indexOf('`. ') + 3);
      expect([path, rest]).toEqual([path, expect.stringMatching(/empty|0 means none/i)]);
    }
  });
});

describe('a code', () => {
  it.each(['ProblemCode', 'ParameterFaultCode'])('of %s has a line on what it means', (name) => {
    const { [name]: codes } = contract.document.components.schemas as Readonly<
      Record<string, Schema>
    >;
    const lines = codes?.description?.match(/^- `\w+`: .+$/gm) ?? [];
    expect(lines.map((line) => line.split('`')[1])).toEqual(codes?.enum);
  });
});
