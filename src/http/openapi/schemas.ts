/** Components of the OpenAPI document that come from the zod schemas. */
import { z } from 'zod';
import { storeSchema } from '../../model/store.ts';
import { changesSchema } from '../changes-body.ts';
import { healthSchema } from '../health-body.ts';
import { problemSchema } from '../problem-response.ts';

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
