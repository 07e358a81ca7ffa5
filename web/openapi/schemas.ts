/**
 * The schemas of the OpenAPI document: those of zod, and the enumerations, each of which stands there
 * once, with a name, and is referred to.
 */

import { z } from 'zod';
import { changesSchema } from '../../src/http/changes-body.ts';
import { healthSchema } from '../../src/http/health-body.ts';
import { problemSchema } from '../../src/http/problem-response.ts';
import { CONDITIONS, FAULTS, MOST_STORES } from '../../src/http/query/list-parameters.ts';
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
  return { ...namedSchemas(roots), ...selections(), StoreList: storeList() };
}

/** The JSON schema of a single value. */
export function inlineSchema(schema: z.ZodType): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { metadata: withoutIds(schema) });
  return rest;
}

/** The schemas with an id. zod puts them under `$defs`, OpenAPI wants them in `components`. */
function namedSchemas(
  roots: z.ZodType,
  options: Parameters<typeof z.toJSONSchema>[1] = {},
): Record<string, Json> {
  const { $defs = {} } = z.toJSONSchema(roots, options);
  const text = JSON.stringify($defs).replaceAll('"#/$defs/', `"${COMPONENTS}`);
  return JSON.parse(text) as Record<string, Json>;
}

/**
 * A store, and every object in it, with the properties that `fields` chose: none is required, and each
 * has its usual type.
 */
function selections(): Record<string, Json> {
  const schemas = namedSchemas(z.strictObject({ store: storeSchema }), {
    override: ({ jsonSchema }) => {
      delete jsonSchema.required;
    },
  });
  const objects = Object.entries(schemas).filter(([, { properties }]) => properties !== undefined);
  const chosen = objects.map(([name, schema]) => {
    const description = `What the parameter \`fields\` has chosen of ${name}, and nothing else.`;
    return [name + CHOSEN, { ...schema, description }];
  });
  const names = objects.map(([name]) => name).join('|');
  const references = new RegExp(`(?<="${COMPONENTS}(?:${names}))(?=")`, 'g');
  return JSON.parse(JSON.stringify(Object.fromEntries(chosen)).replaceAll(references, CHOSEN));
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
          'Number of stores that match the query, independent of `skip` and `limit`. 0: no store matches.',
      },
      docs: {
        type: 'array',
        description: 'The stores of the page, in the order that was asked for.',
        maxItems: MOST_STORES,
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
