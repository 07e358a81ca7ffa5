/** Finds its way in the model's schemas. */
import { z } from 'zod';

/** Whether the value at `path` of what `schema` describes may be null. */
export function isNullableAt(schema: z.core.$ZodType, path: readonly PropertyKey[]): boolean {
  let at: z.core.$ZodType | undefined = schema;
  for (const key of path) at = at && memberOf(at, key);
  return at instanceof z.ZodNullable;
}

function memberOf(schema: z.core.$ZodType, key: PropertyKey): z.core.$ZodType | undefined {
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional) {
    return memberOf(schema.unwrap(), key);
  }
  if (schema instanceof z.ZodObject) return schema.shape[key as string];
  if (schema instanceof z.ZodArray) return schema.element;
  if (schema instanceof z.ZodPipe) return memberOf(schema.in, key);
  if (schema instanceof z.ZodRecord) return schema.valueType;
  return undefined;
}
