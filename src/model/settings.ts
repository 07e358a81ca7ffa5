/**
 * The settings of stores, by which lists are filtered: every boolean and every enumeration of the response
 * schema outside arrays, but for what is derived. Read off the schema, in contract order.
 */
import * as z from 'zod';
import { bareSchema, DEPENDS_ON_REQUEST, storeSchema } from './store.ts';

/**
 * The currencies and funds that ISO 4217 lists as active: list one with amendments up to 180, which took effect
 * on January 1, 2026 (SIX, the maintenance agency). Own, as no package had amendments 176 to 180 in November 2026.
 * Without XTS, which is for tests, and XXX, no currency.
 */
const CODES = `
AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BHD BIF BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF
CHW CLF CLP CNY COP COU CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD
HKD HNL HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD
MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN
PYG QAR RON RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD
TWD TZS UAH UGX USD USN UYI UYU UYW UZS VED VES VND VUV WST XAD XAF XAG XAU XBA XBB XBC XBD XCD XCG XDR XOF XPD
XPF XPT XSU XUA YER ZAR ZMW ZWG
`;

/** Codes of active currencies and funds. */
export const CURRENCIES: ReadonlySet<string> = new Set(CODES.trim().split(/\s/));

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

/** Returns the settings of an object. @param lacked null if a store may lack the whole object */
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
