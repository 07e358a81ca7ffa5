/** The words of the OpenAPI document: nothing is left undescribed, and twins of fields are named. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { FIELD_PATHS } from '../../src/model/field-paths.ts';
import { openApiDocument } from '../../web/openapi/document.ts';
import { ORIGIN, openStage } from '../support/worker/harness.ts';
import {
  OpenApiContract,
  type Operation,
  type ParameterObject,
} from './support/openapi-contract.ts';

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

/** The description that a reader sees: its own, or that of what it refers to. */
function wordsOf(schema: Schema): string {
  return schema.description ?? contract.resolve<Schema>(schema as never).description ?? '';
}

const operations = (): [string, Operation][] =>
  Object.values(contract.document.paths).map(({ get }) => [get.operationId, get]);

const parameters = (): [string, ParameterObject][] =>
  operations().flatMap(([id, { parameters: all = [] }]) =>
    all.map((each): [string, ParameterObject] => {
      const parameter = contract.resolve<ParameterObject>(each);
      return [`${id} ${parameter.name}`, parameter];
    }),
  );

describe('the document leaves without a description', () => {
  it('no property', () => {
    const properties = allProperties();
    expect(properties.length).toBeGreaterThan(300);
    expect(properties.filter(([, each]) => wordsOf(each).length < 5)).toEqual([]);
  });

  it('no schema, and no enumeration, each of which stands there once', () => {
    const all = Object.entries(schemas());
    expect(all.filter(([, schema]) => !schema.description).map(([name]) => name)).toEqual([]);
    const lists = [...JSON.stringify(contract.document).matchAll(/"enum":\[[^\]]*\]/g)];
    const named = all.filter(([, schema]) => schema.enum);
    expect(named.length).toBeGreaterThan(15);
    expect(lists).toHaveLength(named.length);
    expect(new Set(lists.map(([list]) => list)).size).toBe(named.length);
  });

  it('no operation, parameter, header, answer, tag and token', () => {
    const { components, tags, servers } = contract.document;
    const { headers, responses, securitySchemes } = components;
    const answers = operations().flatMap(([, { responses: each }]) => Object.values(each));
    const described = [
      ...operations().map(([, operation]) => operation),
      ...parameters().map(([, parameter]) => parameter),
      ...[headers, responses, securitySchemes].flatMap((each = {}) => Object.values(each)),
      ...answers.map((answer) => contract.resolve(answer)),
      ...[...tags, ...servers, ...servers.flatMap(({ variables }) => Object.values(variables))],
    ] as { description?: string }[];
    expect(described.length).toBeGreaterThan(60);
    expect(described.filter(({ description = '' }) => description.length < 5)).toEqual([]);
  });

  it('no example: each parameter, each answer with a body and each header has one', () => {
    const { headers = {}, responses = {} } = contract.document.components;
    const hasExample = ({ example, examples }: { example?: unknown; examples?: object }) =>
      example !== undefined || Object.keys(examples ?? {}).length > 0;
    const silent = parameters().filter(([, parameter]) => !hasExample(parameter));
    expect(silent.map(([name]) => name)).toEqual([]);
    const answers = [
      ...operations().flatMap(([, operation]) => Object.values(operation.responses)),
      ...(Object.values(responses) as Operation['responses'][string][]),
    ].map((answer) => contract.resolve(answer));
    const bodies = answers.flatMap(({ content = {} }) => Object.values(content));
    expect(bodies.length).toBeGreaterThan(10);
    for (const part of [...bodies, ...Object.values(headers)]) {
      expect(hasExample(part as object), JSON.stringify(part)).toBe(true);
    }
  });
});

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

  it('says of every zero and empty string that means none, when it does', () => {
    const { Store, StoreReviews } = schemas();
    for (const field of ['lat', 'lng', 'address', 'addressComponents']) {
      expect(Store?.properties?.[field]?.description).toMatch(
        /means none.* when address display is disabled/,
      );
    }
    for (const field of ['externalRating', 'externalReviewsNb']) {
      expect(Store?.properties?.[field]?.description).toMatch(/0 means none when .* no .*reviews/);
    }
    const empty = { description: expect.stringMatching(/empty when address display is disabled/i) };
    expect(StoreReviews?.properties?.external?.anyOf?.[0]).toMatchObject({
      properties: { placeId: empty, mapsUrl: empty },
    });
  });
});

describe('a selection of fields', () => {
  it('has the properties of a store, described alike, and requires none', () => {
    const { Store, StoreSelection } = schemas();
    expect(Object.keys(StoreSelection?.properties ?? {})).toEqual(
      Object.keys(Store?.properties ?? {}),
    );
    const whole = new Map(allProperties());
    const chosen = allProperties().filter(([path]) => path.includes('Selection.'));
    expect(chosen.length).toBeGreaterThan(150);
    for (const [path, property] of chosen) {
      const twin = whole.get(path.replace('Selection.', '.'));
      expect([path, property.description]).toEqual([path, twin?.description]);
    }
    const selections = Object.entries(schemas()).filter(([name]) => name.endsWith('Selection'));
    expect(JSON.stringify(selections)).not.toContain('"required":[');
  });
});

describe('arrays in the query', () => {
  it('are lists with commas, and the other two forms are told', () => {
    const arrays = parameters().filter(
      ([, { schema }]) => (schema as { type?: string }).type === 'array',
    );
    expect(arrays.length).toBeGreaterThan(4);
    for (const [, { name, description, ...rest }] of arrays) {
      expect(rest).toMatchObject({ style: 'form', explode: false });
      for (const form of [`${name}=a,b`, `${name}=a&${name}=b`, `${name}[]=a&${name}[]=b`]) {
        expect(description).toContain(`\`${form}\``);
      }
    }
  });
});

describe('the address of the service', () => {
  it('is a variable with a default, and nothing of the request is in the document', async () => {
    const [server, ...others] = contract.document.servers;
    expect(others).toEqual([]);
    expect(server?.url).toBe('{base_url}');
    expect(server?.variables.base_url?.default).toBe('http://127.0.0.1:8787');
    const headers = { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'gopher' };
    const response = await openStage().request('/openapi.json?host=evil.example', { headers });
    const text = await response.text();
    expect(text).not.toMatch(/evil|gopher/);
    expect(text).not.toContain(new URL(ORIGIN).host);
    expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(openApiDocument())));
  });

  it('has a licence and a contact', () => {
    const { contact, license } = contract.document.info;
    expect(contact.name).toContain('operator');
    expect(license.identifier).toMatch(/^LicenseRef-/);
  });
});
