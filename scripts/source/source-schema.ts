/** The source format as JSON Schema, made of the schema that validates. */
import { z } from 'zod';
import { sourceStoreSchema } from '../compile/source-store.ts';

/** A schema, or a part of one. */
export interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly deprecated?: boolean;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly propertyNames?: JsonSchema;
  readonly enum?: readonly string[];
  readonly anyOf?: readonly JsonSchema[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly format?: string;
  readonly pattern?: string;
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, JsonSchema>>;
}

/**
 * The schema of one store. What compares fields or stores with each other, and lists of the world's
 * time zones and currencies, is beyond it: `snapshot validate` finds more.
 */
export function sourceJsonSchema(): JsonSchema {
  const { $schema, ...schema } = z.toJSONSchema(sourceStoreSchema, { io: 'input' });
  return {
    $schema,
    title: 'Source store',
    description:
      'One store of an export for the Rental Store Directory. An export holds one a line, or all in an array. snapshot validate checks more than a schema can say.',
    ...schema,
  } as JsonSchema;
}
