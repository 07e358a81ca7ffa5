/** The source format as JSON Schema, made of the schema that validates, and every field of it. */
import * as z from 'zod';
import { DATE_TIME } from '../../src/model/timestamp.ts';
import { sourceStoreSchema } from '../compile/source-store.ts';

/** A schema as zod writes it: never `true`, nor a list of items. */
export type JsonSchema = z.core.JSONSchema.JSONSchema & {
  properties?: Record<string, JsonSchema>;
  items?: JsonSchema;
  propertyNames?: JsonSchema;
  anyOf?: JsonSchema[];
  enum?: string[];
  $defs?: Record<string, JsonSchema>;
};

/**
 * Returns the schema of one store. What compares fields or stores with each other, and lists of the world's
 * time zones and currencies, is beyond it: `snapshot validate` finds more.
 */
export function sourceJsonSchema(): JsonSchema {
  const { $schema, ...schema } = z.toJSONSchema(sourceStoreSchema, {
    io: 'input',
    override: ({ jsonSchema }) => {
      // More forms are read than the `date-time` of JSON Schema.
      if (jsonSchema.format !== 'date-time') return;
      delete jsonSchema.format;
      jsonSchema.pattern = DATE_TIME.source;
    },
  });
  return {
    $schema,
    title: 'Source store',
    description:
      'One store of an export for the Rental Store Directory. An export holds one a line, or all in an array. snapshot validate checks more than a schema can say.',
    ...schema,
  } as JsonSchema;
}

/** A field of the source format. */
export interface SourceField {
  /** As fault reports write it: dotted, `*` for any element of an array. */
  readonly path: string;
  readonly schema: JsonSchema;
  /** Whether it may be null. */
  readonly isNullable: boolean;
}

/** Returns every field, in the order of the contract; what holds fields comes before them. */
export function sourceFields(): SourceField[] {
  const { $defs = {}, ...root } = sourceJsonSchema();
  // Schemas that have a name stand wherever they are referred to.
  const whole = JSON.stringify(root, (_key, value) =>
    value?.$ref ? { ...$defs[value.$ref.replace('#/$defs/', '')], ...value } : value,
  );
  return fieldsOf(JSON.parse(whole), '');
}

function fieldsOf({ properties = {} }: JsonSchema, prefix: string): SourceField[] {
  return Object.entries(properties).flatMap(([key, member]) => {
    const path = prefix + key;
    const field = { path, ...withoutNull(member) };
    const { schema } = field;
    const { items = {} } = schema;
    return [field, ...fieldsOf(schema, `${path}.`), ...fieldsOf(items, `${path}.*.`)];
  });
}

function withoutNull(schema: JsonSchema): Pick<SourceField, 'schema' | 'isNullable'> {
  const { anyOf, type, ...own } = schema;
  const all: JsonSchema[] = anyOf ?? [type ?? []].flat().map((word) => ({ type: word }));
  const [only, ...others] = all.filter((each) => each.type !== 'null');
  const isNullable = only !== undefined && others.length === 0 && all.length > 1;
  return { schema: isNullable ? { ...only, ...own } : schema, isNullable };
}
