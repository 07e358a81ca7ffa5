/**
 * The types of the contract as TypeScript that stands alone: interfaces with the model's
 * descriptions, in place of what TypeScript infers from zod.
 */
import * as z from 'zod';
import { PROBLEMS } from '../../src/model/problem.ts';
import { SORT_FIELDS } from '../../src/model/sort-fields.ts';
import { storeSchema } from '../../src/model/store.ts';
import type { JsonSchema } from '../source/source-schema.ts';

/** Returns the source of the client's `contract.ts`. */
export function contractTypes(): string {
  const { $defs = {} } = z.toJSONSchema(storeSchema) as JsonSchema;
  // A member without a description takes the description of its type.
  const described = JSON.parse(JSON.stringify($defs), (_key, value) =>
    value?.$ref ? { description: $defs[nameOf(value.$ref)]?.description, ...value } : value,
  );
  return [
    '/** The types of the contract. */',
    ...Object.entries<JsonSchema>(described).map(([name, schema]) => declaration(name, schema)),
    '/** A field that a list can be sorted by. */',
    `export type SortField = ${unionOf(Object.keys(SORT_FIELDS))};`,
    '/** What can be wrong with a request. */',
    `export type ProblemCode = ${unionOf(Object.keys(PROBLEMS))};`,
    PARAMETER_FAULT,
  ]
    .join('\n\n')
    .replaceAll('CompanyVerticale', 'Verticale');
}

const PARAMETER_FAULT = `/** What is wrong with one parameter. */
export interface ParameterFault {
  readonly parameter: string;
  /** Stable, for programs. */
  readonly code: string;
  /** For people. */
  readonly detail: string;
}
`;

function declaration(name: string, schema: JsonSchema): string {
  const type = typeOf(schema);
  const head = schema.properties ? `interface ${name} ${type}` : `type ${name} = ${type};`;
  return `${comment(schema)}export ${head}`;
}

/** Returns the type of what `schema` describes. The compiler lays it out when it makes declarations of it. */
function typeOf(schema: JsonSchema): string {
  const { $ref, anyOf, items, properties, type = [] } = schema;
  if ($ref !== undefined) return nameOf($ref);
  if (schema.enum) return unionOf(schema.enum);
  if (anyOf) return anyOf.map(typeOf).join(' | ');
  if (items) return `Array<${typeOf(items)}>`;
  if (properties) return objectOf(schema);
  return [type]
    .flat()
    .map((word) => (word === 'integer' ? 'number' : word))
    .join(' | ');
}

const nameOf = (reference: string): string => reference.replace('#/$defs/', '');

function objectOf({ properties = {}, required = [] }: JsonSchema): string {
  const members = Object.entries(properties).map(([key, schema]) => {
    const mark = required.includes(key) ? '' : '?';
    return `${comment(schema)}${key}${mark}: ${typeOf(schema)};`;
  });
  return `{\n${members.join('\n')}\n}`;
}

/** Returns the description of a schema as a comment before it; nothing where it has none. */
function comment({ description, deprecated }: JsonSchema): string {
  if (!description) return '';
  const text = deprecated ? `@deprecated ${description.replace(/^Deprecated, /, '')}` : description;
  return `/** ${text.replaceAll('*/', '* /')} */\n`;
}

const unionOf = (words: readonly string[]): string => words.map((word) => `'${word}'`).join(' | ');
