/**
 * The schemas of the OpenAPI document: those of zod, and the enumerations, each of which stands there
 * once, with a name, and is referred to.
 */

import { z } from 'zod';
import { changesSchema } from '../../src/http/changes-body.ts';
import { healthSchema } from '../../src/http/health-body.ts';
import { problemSchema } from '../../src/http/problem-response.ts';
import { CONDITIONS, FAULTS } from '../../src/http/query/list-parameters.ts';
import { SORT_ENTRIES } from '../../src/http/query/sort-parameter.ts';
import { FIELD_PATHS } from '../../src/model/field-paths.ts';
import { storeSchema } from '../../src/model/store.ts';
import { PROBLEM_CODES, PROBLEMS } from '../../src/problem.ts';

export type Json = { readonly [key: string]: unknown };

const COMPONENTS = '#/components/schemas/';

/** What the name of a schema ends with whose properties `fields` has chosen. */
const CHOSEN = 'Selection';

export const componentRef = (name: string): Json => ({ $ref: COMPONENTS + name });

/** Every schema by name, but for the enumerations that parameters alone use. */
export function componentSchemas(): Json {
  const roots = z.strictObject({
    store: storeSchema,
    changes: changesSchema,
    health: healthSchema,
    problem: problemSchema,
  });
  const schemas = namedSchemas(roots);
  return { ...schemas, ...selections(schemas, 'Store'), StoreList: storeList() };
}

/** The JSON schema of a single value. */
export function inlineSchema(schema: z.ZodType): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { metadata: withoutIds(schema) });
  return rest;
}

/** The schemas with an id. zod puts them under `$defs`, OpenAPI wants them in `components`. */
function namedSchemas(roots: z.ZodType): Record<string, Json> {
  const { $defs = {} } = z.toJSONSchema(roots);
  const text = JSON.stringify($defs).replaceAll('"#/$defs/', `"${COMPONENTS}`);
  return JSON.parse(text) as Record<string, Json>;
}

/**
 * The object `name`, and every object that it refers to, with the properties that `fields` chose:
 * none is required, and each has its usual type.
 */
function selections(schemas: Readonly<Record<string, Json>>, name: string): Record<string, Json> {
  const found: Record<string, Json> = {};
  const isObject = (other: string) => schemas[other]?.properties !== undefined;
  const follow = (one: string): void => {
    if (found[one + CHOSEN]) return;
    const chosen = JSON.stringify(withoutRequired(schemas[one])).replaceAll(
      /"#\/components\/schemas\/(\w+)"/g,
      (reference, other: string) =>
        isObject(other) ? JSON.stringify(COMPONENTS + other + CHOSEN) : reference,
    );
    const description = `What the parameter \`fields\` has chosen of ${one}, and nothing else.`;
    found[one + CHOSEN] = { ...JSON.parse(chosen), description };
    for (const [, other] of chosen.matchAll(/schemas\/(\w+)Selection"/g)) follow(String(other));
  };
  follow(name);
  return found;
}

/** `schema`, with everything in it, without the lists of required properties. */
function withoutRequired(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutRequired);
  if (typeof schema !== 'object' || schema === null) return schema;
  const parts = Object.entries(schema).filter(
    ([key, value]) => !(key === 'required' && Array.isArray(value)),
  );
  return Object.fromEntries(parts.map(([key, value]) => [key, withoutRequired(value)]));
}

function storeList(): Json {
  return {
    type: 'object',
    description: 'A page of stores.',
    required: ['total', 'docs'],
    additionalProperties: false,
    properties: {
      total: {
        type: 'integer',
        minimum: 0,
        description:
          'Number of stores that match the query, independent of `skip` and `limit`. 0: none does.',
      },
      docs: {
        type: 'array',
        description: 'The stores of the page, in the order that was asked for.',
        maxItems: 100,
        items: storeOrSelection(),
      },
      ...Object.fromEntries(
        CONDITIONS.flatMap(({ member }) => (member ? [[member.name, member.schema]] : [])),
      ),
    },
  };
}

/** A store in an answer: all of it, or the chosen fields. */
export function storeOrSelection(): Json {
  return { anyOf: [componentRef('Store'), componentRef('StoreSelection')] };
}

/** The metadata of `schema` without its id, for which zod would write a reference. */
function withoutIds(schema: z.ZodType): z.core.$ZodRegistry<z.GlobalMeta> {
  const registry = z.registry<z.GlobalMeta>();
  const { id: _, ...meta } = schema.meta() ?? {};
  return registry.add(schema, meta);
}

/** Those that are no types of the model. */
const ENUMERATIONS: Json = {
  StoreFieldPath: {
    type: 'string',
    enum: FIELD_PATHS,
    description:
      'Path of a field of a store: names joined by dots. A path that leads through an array picks from each element.',
  },
  SortKey: {
    type: 'string',
    enum: SORT_ENTRIES,
    description:
      'Field to sort by, with the suffix `__asc` (ascending) or `__desc` (descending); without a suffix it is ascending.',
  },
  ProblemCode: {
    type: 'string',
    enum: PROBLEM_CODES,
    description: list(
      'Kind of problem. The codes are stable: programs go by them.',
      PROBLEM_CODES.map((code) => [code, `${PROBLEMS[code].status}, ${PROBLEMS[code].title}.`]),
    ),
  },
  ParameterFaultCode: {
    type: 'string',
    enum: Object.keys(FAULTS),
    description: list(
      'Kind of fault of a parameter. The codes are stable: programs go by them.',
      Object.entries(FAULTS),
    ),
  },
};

/** `document` with every enumeration among its components, and references where they stood. */
export function withNamedEnumerations(document: Json, schemas: Json): Json {
  const all = { ...schemas, ...ENUMERATIONS };
  const names = new Map(
    Object.entries(all).flatMap(([name, schema]) => {
      const { enum: words } = schema as Json;
      return Array.isArray(words) ? [[words.join(), name] as const] : [];
    }),
  );
  const named = Object.entries(all).map(([name, schema]) => {
    const isNamed = Array.isArray((schema as Json).enum);
    return [name, isNamed ? schema : referring(schema, names)];
  });
  const { components, ...rest } = referring(document, names) as Json;
  return { ...rest, components: { schemas: Object.fromEntries(named), ...Object(components) } };
}

/** `value` with a reference in the place of every schema that lists the words of a named one. */
function referring(value: unknown, names: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(value)) return value.map((each) => referring(each, names));
  if (typeof value !== 'object' || value === null) return value;
  const { type: _, enum: words, ...others } = value as Json;
  const name = Array.isArray(words) ? names.get(words.join()) : undefined;
  if (name !== undefined) return { ...others, ...componentRef(name) };
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, referring(each, names)]),
  );
}

/** CommonMark: a sentence and what each word means. */
function list(sentence: string, meanings: readonly (readonly [string, string])[]): string {
  return [sentence, '', ...meanings.map(([word, meaning]) => `- \`${word}\`: ${meaning}`)].join(
    '\n',
  );
}
