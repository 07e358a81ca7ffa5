/** test/CONTRACT.md names a test for each promise, and lacks nothing that the OpenAPI document promises. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { openApiDocument } from '../../web/openapi/document.ts';
import type { Schema } from '../../web/openapi/schemas.ts';

const TESTS = resolve(import.meta.dirname, '..');

/** The rows below each heading, without those that name the columns. */
const SECTIONS: ReadonlyMap<string, string[]> = new Map(
  readFileSync(resolve(TESTS, 'CONTRACT.md'), 'utf8')
    .split(/^#+ /m)
    .map((section) => [
      section.split('\n')[0] ?? '',
      [...section.matchAll(/^\| (.+) \|$/gm)].slice(1).map(([, row = '']) => row),
    ]),
);

/** Words of JSON Schema that limit a value. */
const LIMITS = [
  ...['format', 'default', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'],
  ...['multipleOf', 'minLength', 'maxLength', 'minItems', 'maxItems'],
];

/** Longer lists are held by tests of their own: paths of fields, fields to sort by, currencies. */
const MAX_WORDS = 30;

/** Returns a type by its name, or in words with its limits. */
function typeOf({ $ref, anyOf, items, ...schema }: Schema): string {
  if ($ref) return $ref.split('/').at(-1) ?? '';
  if (anyOf) return anyOf.map(typeOf).join(' or ');
  const words = [schema.enum ?? schema.const ?? []].flat();
  const type = items
    ? `array of ${typeOf(items)}`
    : [schema.type ?? 'anything'].flat().join(' or ');
  const limits = LIMITS.filter(
    (name) => name in schema && schema[name] !== Number.MAX_SAFE_INTEGER,
  ).map((name) => `${name} ${schema[name]}`);
  const isListed = words.length > 0 && words.length <= MAX_WORDS;
  return [...(isListed ? words : [type]), ...limits].join(', ');
}

/** Returns the object that a schema has, also as a member of an array, if it has no name of its own. */
function objectIn(schema: Schema): Schema | undefined {
  if (schema.properties) return schema;
  const inner = [schema.items ?? [], schema.anyOf ?? []].flat() as Schema[];
  return inner.map(objectIn).find((each) => each !== undefined);
}

/** Returns the rows of a schema and of the objects in it. */
function rowsOf(name: string, schema: Schema): string[] {
  const { properties, required } = objectIn(schema) ?? {};
  if (!properties) return [`\`${name}\` | ${typeOf(schema)}`];
  const fields = Object.entries(properties);
  const cell = fields.map(([field, each]) => {
    const mark = required?.includes(field) ? '' : '?';
    return `\`${field}\`${mark} ${typeOf(each)}${each.deprecated ? ', deprecated' : ''}`;
  });
  const inner = fields.flatMap(([field, each]) =>
    objectIn(each) ? rowsOf(`${name}.${field}`, each) : [],
  );
  return [`\`${name}\` | ${cell.join('; ')}`, ...inner];
}

/** How the rows of each table begin, by the heading of the table. */
function promised(): Record<string, string[]> {
  const { paths, components } = openApiDocument();
  const operations = Object.entries(paths).map(([path, { get }]) => ({ path, ...get }));
  const statuses = operations.flatMap(({ operationId, responses }) =>
    Object.keys(responses).map((status) => ({ status, operationId })),
  );
  return {
    Operations: operations.map(({ path, operationId }) => `\`GET ${path}\` | ${operationId}`),
    ...Object.fromEntries(
      operations.map(({ operationId, parameters }) => [
        `Parameters of ${operationId}`,
        parameters.map(({ name, required, schema }) => {
          const type = typeOf(schema as Schema);
          // They follow from the fields of stores.
          if (type === 'boolean') return 'each boolean of a store | boolean';
          return `\`${name}\` | ${type}${required ? ', required' : ''}`;
        }),
      ]),
    ),
    Statuses: [...Map.groupBy(statuses, ({ status }) => status)].map(
      ([status, all]) => `${status} | ${all.map(({ operationId }) => operationId).join(', ')}`,
    ),
    Headers: Object.keys(components.headers).map((name) => `\`${name}\``),
    // What `fields` selects has the same fields.
    Fields: Object.entries(components.schemas).flatMap(([name, schema]) =>
      name.endsWith('Selection') ? [] : rowsOf(name, schema),
    ),
  };
}

it.each(Object.entries(promised()))('the table of %s has what the document has', (name, starts) => {
  const rows = SECTIONS.get(name) ?? [];
  const begins = (row: string) => (start: string) => row.startsWith(`${start} | `);
  const lacking = starts.filter((start) => !rows.some((row) => begins(row)(start)));
  const wrong = rows.filter((row) => !starts.some(begins(row)));
  expect(
    { lacking, wrong },
    `Write into "${name}" of test/CONTRACT.md what it is lacking, each with its
    promise and test, and take out what is wrong: the OpenAPI document does not have it.`,
  ).toEqual({
    lacking: [],
    wrong: [],
  });
});

it.each([...SECTIONS].filter(([, rows]) => rows.length > 0))(
  'the tests of %s are there',
  (_, rows) => {
    const missing = rows.filter((row) => {
      const [title = '', file = ''] = row.split(' | ').toReversed();
      return !hasTest(file, title);
    });
    expect(
      missing,
      'No test in the file has the title of the row: name the test that holds it.',
    ).toEqual([]);
  },
);

/** Whether a call in the file, such as `it` or `describe`, has the title first. */
function hasTest(file: string, title: string): boolean {
  const text = readFileSync(resolve(TESTS, file.replaceAll('`', '')), 'utf8').replaceAll(
    /\(\s+/g,
    '(',
  );
  return ["'", '"', '`'].some((quote) => text.includes(`(${quote}${title}${quote},`));
}
