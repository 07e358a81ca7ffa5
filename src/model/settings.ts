/**
 * The settings of stores, by which lists are filtered: every boolean and every enumeration of the response
 * schema outside arrays, but for what is derived. Read off the schema, in contract order.
 */
import * as z from 'zod';
import { CURRENCIES } from './currencies.ts';
import { bareSchema } from './field-paths.ts';
import { DEPENDS_ON_REQUEST, storeSchema } from './store.ts';

/** Null where a store lacks the field, or the object that has it. */
export type SettingValue = boolean | string | null;

export interface Setting {
  /** Dotted, as `fields` names it. */
  readonly path: string;
  readonly description: string;
  /** All values of the field: false and true, or words; then null if a store may lack it. */
  readonly values: readonly SettingValue[];
}

/** A text of the response. Sources take the codes of active currencies alone. */
export const CURRENCY_PATH = 'pricing.currency.isoCode';

export const SETTINGS: readonly Setting[] = settingsBelow(storeSchema, '', []);

/** @param lacked null if a store may lack the whole object */
function settingsBelow(object: z.ZodObject, prefix: string, lacked: readonly null[]): Setting[] {
  return Object.entries(object.shape).flatMap(([key, field]) => {
    const whole = field as z.ZodType;
    if (isDerived(whole)) return [];
    const path = prefix + key;
    const schema = bareSchema(whole);
    const none = schema === whole ? lacked : [null];
    if (schema instanceof z.ZodObject) return settingsBelow(schema, `${path}.`, none);
    const values = valuesOf(schema, path);
    if (values.length < 2) return [];
    const description = whole.description ?? schema.description ?? '';
    return [{ path, description, values: [...values, ...none] }];
  });
}

/** Returns whether a field is worked out for answers. Fields of stores are never optional. */
function isDerived(field: z.ZodType): boolean {
  return (
    field instanceof z.ZodOptional ||
    field.meta()?.deprecated === true ||
    DEPENDS_ON_REQUEST.has(field)
  );
}

function valuesOf(schema: z.ZodType, path: string): readonly SettingValue[] {
  if (schema instanceof z.ZodBoolean) return [false, true];
  if (schema instanceof z.ZodEnum) return schema.options.map(String);
  return path === CURRENCY_PATH ? [...CURRENCIES] : [];
}
