/** Fields of a schema as rows: dotted paths, as the parameter `fields` takes them. */
import { ID_PATTERN } from '../../src/model/store.ts';
import type { OpenApi, Schema } from './openapi.ts';

export interface Field {
  readonly path: string;
  /** In words: `array of string`. */
  readonly type: string;
  /** What it may hold, where that is listed; else empty. */
  readonly values: readonly string[];
  readonly nullable: boolean;
  readonly required: boolean;
  readonly deprecated: boolean;
  readonly description: string;
}

/** A schema without its name, its null and its array: what one item is. */
interface Core {
  readonly schema: Schema;
  readonly nullable: boolean;
  /** How many arrays are around it. */
  readonly depth: number;
}

/** Schemas that have a table of their own, and are named where they occur in another one. */
const TABLED: Readonly<Record<string, string>> = {
  '#/components/schemas/Store': 'Store',
  '#/components/schemas/StoreSelection': 'Store',
};

/** Every field below `schema`, a field before the fields that it holds. */
export function fieldsOf(schema: Schema, api: OpenApi): Field[] {
  return fieldsBelow(api.follow(schema), '', false, api);
}

/** What a value is, in words, and how large it may be. */
export function describeType(schema: Schema, api: OpenApi): string {
  const { schema: core, depth } = coreOf(schema, api);
  return `${'array of '.repeat(depth)}${typeName(core)}${limitsOf(core)}`;
}

/** The legal values where they are listed. */
export function valuesOf(schema: Schema, api: OpenApi): readonly string[] {
  const { enum: words, const: word } = coreOf(schema, api).schema;
  return (words ?? (word === undefined ? [] : [word])).map(String);
}

function fieldsBelow(schema: Schema, prefix: string, isOld: boolean, api: OpenApi): Field[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    const path = prefix + name;
    const whole = api.follow(property);
    const { schema: core, nullable } = coreOf(property, api);
    const deprecated = isOld || whole.deprecated === true;
    const field: Field = {
      path,
      type: describeType(property, api),
      values: valuesOf(property, api),
      nullable,
      required: schema.required?.includes(name) ?? false,
      deprecated,
      description: whole.description ?? core.description ?? '',
    };
    return [field, ...fieldsBelow(core, `${path}.`, deprecated, api)];
  });
}

function coreOf(schema: Schema, api: OpenApi): Core {
  const tabled = TABLED[schema.$ref ?? ''];
  if (tabled) return { schema: { type: tabled }, nullable: false, depth: 0 };
  const whole = api.follow(schema);
  const choices = whole.anyOf ?? whole.oneOf;
  if (choices) {
    const others = choices.filter((choice) => api.follow(choice).type !== 'null');
    const nullable = others.length < choices.length;
    const first = others[0];
    if (first) {
      const core = coreOf(first, api);
      return { ...core, nullable: nullable || core.nullable };
    }
  }
  if (whole.items) {
    const { schema: item, depth } = coreOf(whole.items, api);
    return { schema: item, nullable: isNullable(whole), depth: depth + 1 };
  }
  return { schema: whole, nullable: isNullable(whole), depth: 0 };
}

function isNullable({ type }: Schema): boolean {
  return Array.isArray(type) && type.includes('null');
}

function typeName({ type, format, pattern }: Schema): string {
  if (pattern === ID_PATTERN.source) return '24 hexadecimal digits';
  const names = (typeof type === 'string' ? [type] : (type ?? [])).filter(
    (name) => name !== 'null',
  );
  if (format === 'date-time') return 'date-time';
  return names.length === 0 ? 'any' : names.join(' or ');
}

/** Larger limits are there for programs: numbers stop being exact beyond them. */
const TOLD_MAXIMUM = 1e9;

function limitsOf({ minimum, maximum, default: standard }: Schema): string {
  const most = maximum !== undefined && maximum <= TOLD_MAXIMUM ? maximum : undefined;
  const range = most === undefined ? `, at least ${minimum}` : `, ${minimum} to ${most}`;
  const limits = minimum === undefined || minimum < -TOLD_MAXIMUM ? '' : range;
  return `${limits}${standard === undefined ? '' : `, default ${standard}`}`;
}
