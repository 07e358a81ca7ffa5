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
import { LANGUAGES, VERTICALES } from '../../src/model/enumerations.ts';
import { FIELD_PATHS } from '../../src/model/field-paths.ts';
import { storeSchema } from '../../src/model/store.ts';
import { PROBLEM_CODES, PROBLEMS } from '../../src/problem.ts';

export type Json = { readonly [key: string]: unknown };

type Override = NonNullable<z.core.ToJSONSchemaParams['override']>;

const COMPONENTS = '#/components/schemas/';

/** What the name of a schema ends with whose properties `fields` has chosen. */
const CHOSEN = 'Selection';

export const componentRef = (name: string): Json => ({ $ref: COMPONENTS + name });

/** Every schema by name. */
export function componentSchemas(): Json {
  const roots = z.strictObject({
    store: storeSchema,
    changes: changesSchema,
    health: healthSchema,
    problem: problemSchema,
  });
  return { ...namedSchemas(roots), ...selections(), StoreList: storeList(), ...ENUMERATIONS };
}

/** The JSON schema of a single value. */
export function inlineSchema(schema: z.ZodType): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    override: referringTo(NAMES_IN_PARAMETERS),
  });
  return rest;
}

/** The schemas with an id. zod puts them under `$defs`, OpenAPI wants them in `components`. */
function namedSchemas(roots: z.ZodType, override: Override = referringTo(NAMES)) {
  const { $defs = {} } = z.toJSONSchema(roots, { override });
  const text = JSON.stringify($defs).replaceAll('"#/$defs/', `"${COMPONENTS}`);
  return JSON.parse(text) as Record<string, Json>;
}

/** Has zod refer to enumerations, which are found by their words. */
function referringTo(names: ReadonlyMap<string, string>): Override {
  return ({ jsonSchema }) => {
    const name = names.get(String(jsonSchema.enum));
    if (name === undefined) return;
    delete jsonSchema.type;
    delete jsonSchema.enum;
    jsonSchema.$ref = COMPONENTS + name;
  };
}

/**
 * A store, and every object in it, with the properties that `fields` chose: none is required, and each
 * has its usual type.
 */
function selections(): Record<string, Json> {
  const schemas = namedSchemas(z.strictObject({ store: storeSchema }), ({ jsonSchema }) => {
    delete jsonSchema.required;
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

/** Those that are no types of the model. */
const ENUMERATIONS: Readonly<Record<string, Json>> = {
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

const NAMES: ReadonlyMap<string, string> = new Map(
  Object.entries(ENUMERATIONS).map(([name, { enum: words }]) => [String(words), name]),
);

/** Parameters take words of the model too, without the ids by which zod knows them there. */
const NAMES_IN_PARAMETERS: ReadonlyMap<string, string> = new Map([
  ...NAMES,
  [String(VERTICALES), 'CompanyVerticale'],
  [String(LANGUAGES), 'Language'],
]);

/** CommonMark: a sentence and what each word means. */
function list(sentence: string, meanings: readonly (readonly [string, string])[]): string {
  return [sentence, '', ...meanings.map(([word, meaning]) => `- \`${word}\`: ${meaning}`)].join(
    '\n',
  );
}
