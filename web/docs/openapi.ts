/** The OpenAPI document that pages show: its operations, and its schemas with references followed, in words. */
import { ID_PATTERN } from '../../src/model/store.ts';
import { openApiDocument, type Parameter } from '../openapi/document.ts';
import type { ResponseObject } from '../openapi/responses.ts';
import type { Schema } from '../openapi/schemas.ts';

/** Larger maximums are not shown: they only say up to where numbers are exact. */
const MAX_TOLD = 1e9;

export const document = openApiDocument();

/** Returns the schema that a reference leads to, changed by the members beside the reference. */
export function follow({ $ref, ...schema }: Schema): Schema {
  if ($ref === undefined) return schema;
  return follow({ ...document.components.schemas[$ref.split('/').at(-1) ?? ''], ...schema });
}

export const operations = Object.entries(document.paths).map(([path, { get }]) => ({
  ...get,
  path,
  // An operation without `security` needs what the whole document asks for: a token.
  needsToken: get.security === undefined,
}));

export type OperationObject = (typeof operations)[number];

/** Returns the parameters of an operation by the titles of their groups. */
export function groupsOf({
  parameters,
}: OperationObject): ReadonlyMap<string, readonly Parameter[]> {
  return Map.groupBy(parameters, (each) => {
    if (each.in === 'header') return 'Headers of the request';
    const name = each['x-group'] ?? 'of this operation';
    return name.charAt(0).toUpperCase() + name.slice(1);
  });
}

/** Returns the examples of an answer, which it has where it has a body. */
export const examplesOf = ({ content = {} }: ResponseObject) =>
  Object.values(content).flatMap(({ examples }) => Object.values(examples));

/** Returns what a value is, in words, and how large it may be: `array of integer, 0 to 50`. */
export function describeType(schema: Schema): string {
  const whole = withoutNull(schema);
  return whole.items ? `array of ${describeType(whole.items)}` : typeName(whole) + limitsOf(whole);
}

/** Returns the legal values where they are listed. */
export function valuesOf(schema: Schema): readonly string[] {
  const { enum: words, const: word } = itemOf(schema);
  return [words ?? word ?? []].flat().map(String);
}

/** Returns the schema of a single item: without its name, its null and its arrays. */
export function itemOf(schema: Schema): Schema {
  const whole = withoutNull(schema);
  return whole.items ? itemOf(whole.items) : whole;
}

export function isNullable(schema: Schema): boolean {
  const { anyOf = [], type } = follow(schema);
  return [type, ...anyOf.map((each) => each.type)].flat().includes('null');
}

/** Returns the first of several schemas: the others are null, or what `fields` chose of it. */
function withoutNull(schema: Schema): Schema {
  const whole = follow(schema);
  return whole.anyOf?.[0] ? withoutNull(whole.anyOf[0]) : whole;
}

function typeName({ type = [], pattern, format }: Schema): string {
  if (pattern === ID_PATTERN.source) return '24 hexadecimal digits';
  if (format === 'date-time') return format;
  return [type]
    .flat()
    .filter((name) => name !== 'null')
    .join(' or ');
}

function limitsOf({ minimum, maximum = Number.POSITIVE_INFINITY, default: usual }: Schema): string {
  const range = maximum > MAX_TOLD ? `, at least ${minimum}` : `, ${minimum} to ${maximum}`;
  const limits = minimum === undefined ? '' : range;
  return `${limits}${usual === undefined ? '' : `, default ${usual}`}`;
}
