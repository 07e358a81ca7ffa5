/** Components of the OpenAPI document that come from the zod schemas. */
import { z } from 'zod';
import { storeSchema } from '../../model/store.ts';
import { changesSchema } from '../changes-body.ts';
import { healthSchema } from '../health.ts';
import { problemSchema } from '../problem-response.ts';

export type Json = { readonly [key: string]: unknown };

const COMPONENTS = '#/components/schemas/';

const NO_DESCRIPTIONS = z.registry<z.GlobalMeta>();

export const componentRef = (name: string): Json => ({ $ref: COMPONENTS + name });

/** Every schema by name: those with an id of their own, and the two that depend on `fields`. */
export function componentSchemas(): Json {
  const roots = z.strictObject({
    store: storeSchema,
    changes: changesSchema,
    health: healthSchema,
    problem: problemSchema,
  });
  return { ...namedSchemas(roots), StoreSelection: storeSelection(), StoreList: storeList() };
}

/** The JSON schema of a single value. */
export function inlineSchema(schema: z.ZodType): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { metadata: withoutIds(schema) });
  return rest;
}

/** The schemas with an id. zod puts them under `$defs`, OpenAPI wants them in `components`. */
function namedSchemas(roots: z.ZodType): Json {
  const { $defs = {} } = z.toJSONSchema(roots);
  const text = JSON.stringify($defs).replaceAll('"#/$defs/', `"${COMPONENTS}`);
  return JSON.parse(text) as Json;
}

/** A store with the fields that `fields` chose: none is required, and each has its usual type. */
function storeSelection(): Json {
  const { $schema: _, ...schema } = z.toJSONSchema(storeSchema, {
    metadata: NO_DESCRIPTIONS,
    override: ({ jsonSchema }) => {
      delete jsonSchema.required;
    },
  });
  return {
    ...schema,
    description: 'The fields of a Store that the parameter `fields` names, and no others.',
  };
}

function storeList(): Json {
  return {
    type: 'object',
    required: ['total', 'docs'],
    additionalProperties: false,
    properties: {
      total: {
        type: 'integer',
        minimum: 0,
        description: 'Number of stores matching the query, independent of skip and limit.',
      },
      docs: { type: 'array', maxItems: 100, items: storeOrSelection() },
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
