/**
 * The schemas of the OpenAPI document, made of zod's. Each enumeration stands there once, with a name, and is
 * referred to.
 */

import * as z from 'zod';
import { MAX_LIMIT } from '../../src/http/query/list-query.ts';
import { SORT_ENTRIES } from '../../src/http/query/sort-parameter.ts';
import { FACET_DESCRIPTIONS, FACETS } from '../../src/model/enumerations.ts';
import { FIELD_PATHS } from '../../src/model/field-paths.ts';
import { PROBLEMS } from '../../src/model/problem.ts';
import { storeSchema } from '../../src/model/store.ts';
import { changesSchema, healthSchema } from './answer-schemas.ts';
import { FAULTS } from './fault-codes.ts';
import fragment from './fragment.json' with { type: 'json' };

/** A schema as the document has them: never `true`, nor a list of items. */
export type Schema = z.core.JSONSchema.JSONSchema & {
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
};

const COMPONENTS = '#/components/schemas/';

/** What the name of a schema ends with whose properties `fields` has chosen. */
const CHOSEN = 'Selection';

/** The store and all that it is made of. */
const STORE_SCHEMAS = namedSchemas(storeSchema);

export const componentRef = (name: string): Schema => ({ $ref: COMPONENTS + name });

/** Returns every schema by name. */
export function componentSchemas(): Record<string, Schema> {
  return {
    ...STORE_SCHEMAS,
    ...namedSchemas(changesSchema),
    ...namedSchemas(healthSchema),
    ...problemSchemas(),
    ...selections(),
    StoreList: storeList(),
    ...PARAMETER_WORDS,
  };
}

/** Returns the JSON schema of a parameter: what its text becomes. */
export function parameterSchema(parameter: z.ZodType): Schema {
  const schemaOf = (io: 'input' | 'output') => {
    const schema = z.toJSONSchema(parameter, { io, unrepresentable: 'any' }) as Schema;
    const { $schema, description, example, usualNames, usage, ...rest } = schema;
    return rest;
  };
  // As output numbers are numbers, not texts; what becomes an object is described as text.
  const output = schemaOf('output');
  const { items, maxItems = 0 } = output;
  if (items) return { type: 'array', minItems: 1, maxItems, items: namedWords(items) };
  return namedWords(Object.keys(output).length > 0 ? output : schemaOf('input'));
}

/** Returns a reference where words have a name. */
function namedWords(schema: Schema): Schema {
  const name = NAMES.get(String(schema.enum));
  return name === undefined ? schema : componentRef(name);
}

/** Returns the schemas with an id. zod puts the members' under `$defs`, OpenAPI wants them in `components`. */
function namedSchemas(root: z.ZodType) {
  const { $defs = {} } = z.toJSONSchema(z.strictObject({ root }));
  const text = JSON.stringify($defs).replaceAll('"#/$defs/', `"${COMPONENTS}`);
  return JSON.parse(text) as Record<string, Schema>;
}

/**
 * Returns the schemas of a store, and of every object in it, with the properties that `fields` chose: none is
 * required, and each has its usual type.
 */
function selections(): Record<string, Schema> {
  const objects = Object.entries(STORE_SCHEMAS).filter(([, { properties }]) => properties);
  const references = new Set(objects.map(([name]) => COMPONENTS + name));
  const choose = (key: string, value: string) => {
    if (key === 'required') return undefined;
    return references.has(value) ? value + CHOSEN : value;
  };
  return Object.fromEntries(
    objects.map(([name, schema]) => {
      const description = `What the parameter \`fields\` has chosen of ${name}, and nothing else.`;
      const chosen = JSON.parse(JSON.stringify({ ...schema, description }), choose);
      return [name + CHOSEN, chosen];
    }),
  );
}

/** Returns the schemas of problems: why a request was not answered. */
function problemSchemas(): Record<string, Schema> {
  const { Problem, ParameterFault } = fragment.components.schemas as Record<
    'Problem' | 'ParameterFault',
    Schema
  >;
  const problems = Object.entries(PROBLEMS).map(
    ([code, { status, title }]) => [code, `${status}, ${title}.`] as const,
  );
  return {
    Problem,
    ProblemCode: codes('Kind of problem.', problems),
    ParameterFault,
    ParameterFaultCode: codes('Kind of fault of a parameter.', Object.entries(FAULTS)),
  };
}

function codes(sentence: string, meanings: readonly (readonly [string, string])[]): Schema {
  const list = meanings.map(([code, meaning]) => `- \`${code}\`: ${meaning}`);
  return {
    type: 'string',
    enum: meanings.map(([code]) => code),
    description: `${sentence} The codes are stable: programs go by them.\n\n${list.join('\n')}`,
  };
}

function storeList(): Schema {
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
        maxItems: MAX_LIMIT,
        items: storeOrSelection(),
      },
      facets: FACET_COUNTS,
    },
  };
}

const FACET_COUNTS: Schema = {
  type: 'object',
  description:
    'For each facet that was asked for: how many of all stores that match have each value. Values that no store has are left out.',
  additionalProperties: false,
  properties: Object.fromEntries(
    FACETS.map((facet) => [
      facet,
      {
        type: 'object',
        description: FACET_DESCRIPTIONS[facet],
        additionalProperties: { type: 'integer', minimum: 1, description: 'Number of stores.' },
      },
    ]),
  ),
};

/** Returns the schema of a store in an answer: all of it, or the chosen fields. */
export function storeOrSelection(): Schema {
  return { anyOf: [componentRef('Store'), componentRef('StoreSelection')] };
}

/** Words that only parameters take. */
const PARAMETER_WORDS: Record<string, Schema> = {
  StoreFieldPath: {
    type: 'string',
    enum: [...FIELD_PATHS],
    description:
      'Path of a field of a store: names joined by dots. A path that leads through an array picks from each element.',
  },
  SortKey: {
    type: 'string',
    enum: [...SORT_ENTRIES],
    description:
      'Field to sort by, with the suffix `__asc` (ascending) or `__desc` (descending); without a suffix it is ascending.',
  },
};

/** Names of enumerations by their words: in parameters zod does not know them by an id. */
const NAMES: ReadonlyMap<string, string> = new Map(
  Object.entries({ ...STORE_SCHEMAS, ...PARAMETER_WORDS }).flatMap(([name, schema]) =>
    schema.enum ? [[String(schema.enum), name]] : [],
  ),
);
