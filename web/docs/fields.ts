/** Fields of a schema by dotted paths, as the parameter `fields` takes them. */
import { ID_PATTERN } from '../../src/model/store.ts';
import type { Schema } from '../openapi/schemas.ts';
import { follow } from './openapi.ts';

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
  /** The fields that it holds. */
  readonly fields: readonly Field[];
}

/** A schema without its name, its null and its arrays: the schema of one item. */
interface Core {
  readonly schema: Schema;
  readonly nullable: boolean;
  /** How many arrays are around it. */
  readonly depth: number;
}

/** Returns the fields of `schema`, each with the fields in it; deprecated fields come last. */
export function fieldsOf(schema: Schema, prefix = '', isOld = false): Field[] {
  const { properties = {}, required } = coreOf(schema).schema;
  const fields = Object.entries(properties).map(([name, property]): Field => {
    const path = prefix + name;
    const whole = follow(property);
    const { schema: core, nullable } = coreOf(property);
    const deprecated = isOld || whole.deprecated === true;
    return {
      path,
      type: describeType(property),
      values: valuesOf(property),
      nullable,
      required: required?.includes(name) ?? false,
      deprecated,
      description: whole.description ?? core.description ?? '',
      fields: fieldsOf(core, `${path}.`, deprecated),
    };
  });
  return fields.sort((one, other) => Number(one.deprecated) - Number(other.deprecated));
}

/** Describes a value in words, and how large it may be. */
export function describeType(schema: Schema): string {
  const { schema: core, depth } = coreOf(schema);
  return `${'array of '.repeat(depth)}${typeName(core)}${limitsOf(core)}`;
}

/** Returns the legal values where they are listed. */
export function valuesOf(schema: Schema): readonly string[] {
  const { enum: words, const: word } = coreOf(schema).schema;
  return (words ?? (word === undefined ? [] : [word])).map(String);
}

function coreOf(schema: Schema): Core {
  const whole = follow(schema);
  const [first, ...others] = whole.anyOf ?? [];
  if (first) {
    const nullable = others.some(({ type }) => type === 'null');
    return { ...coreOf(first), nullable };
  }
  const nullable = typesOf(whole).includes('null');
  if (!whole.items) return { schema: whole, nullable, depth: 0 };
  const { schema: item, depth } = coreOf(whole.items);
  return { schema: item, nullable, depth: depth + 1 };
}

const typesOf = ({ type = [] }: Schema): readonly string[] => [type].flat();

function typeName(schema: Schema): string {
  if (schema.pattern === ID_PATTERN.source) return '24 hexadecimal digits';
  if (schema.format === 'date-time') return 'date-time';
  return typesOf(schema)
    .filter((name) => name !== 'null')
    .join(' or ');
}

/** Larger maximums are not shown: they only say up to where numbers are exact. */
const TOLD_MAXIMUM = 1e9;

function limitsOf({ minimum, maximum, default: standard }: Schema): string {
  const most = maximum !== undefined && maximum <= TOLD_MAXIMUM ? maximum : undefined;
  const range = most === undefined ? `, at least ${minimum}` : `, ${minimum} to ${most}`;
  const limits = minimum === undefined || minimum < -TOLD_MAXIMUM ? '' : range;
  return `${limits}${standard === undefined ? '' : `, default ${standard}`}`;
}
