/**
 * The types of the contract as TypeScript that stands alone: interfaces with the model's
 * descriptions, in place of what TypeScript infers from zod.
 */
import type { z } from 'zod';
import { LANGUAGES, VERTICALES } from '../../src/model/enumerations.ts';
import { SORT_FIELDS } from '../../src/model/sort-fields.ts';
import { storeSchema } from '../../src/model/store.ts';
import { FACETS } from '../../src/model/term-fields.ts';
import { PROBLEMS } from '../../src/problem.ts';

/** Names of enumerations that the client uses itself. */
const ENUMERATIONS = new Map([
  [LANGUAGES.join(), 'Language'],
  [VERTICALES.join(), 'Verticale'],
]);

/** The source of the client's `contract.ts`. */
export function contractTypes(): string {
  const writer = new TypeWriter();
  writer.typeOf(storeSchema);
  return [
    '/** The types of the contract. */',
    ...[...writer.named.values()].reverse(),
    '/** A field that a list can be sorted by. */',
    '/** What lists count stores by. */',
    `export type Facet = ${unionOf(FACETS, '')};`,
    `export type SortField = ${unionOf(Object.keys(SORT_FIELDS), '')};`,
    '/** What can be wrong with a request. */',
    `export type ProblemCode = ${unionOf(Object.keys(PROBLEMS), '')};`,
    PARAMETER_FAULT,
  ].join('\n\n');
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

type Definition = z.core.$ZodTypes['_zod']['def'];

class TypeWriter {
  /** Declarations by name, those that others need first. */
  readonly named = new Map<string, string>();
  /** Names by the members of what they name: a description of its own takes a schema's name away. */
  private readonly names = new Map<object, string>();

  /** The type of what `schema` describes, as it is written at some depth of indentation. */
  typeOf(schema: z.core.$ZodType, indent = ''): string {
    const def = schema._zod.def as Definition;
    const members = membersOf(def);
    const name = this.nameOf(schema, def, members);
    if (name === undefined) return this.write(def, indent);
    if (members) this.names.set(members, name);
    if (!this.named.has(name)) {
      const type = this.write(def, '');
      const head = type.startsWith('{') ? `interface ${name} ${type}` : `type ${name} = ${type};`;
      this.named.set(name, `${comment(schema, '')}export ${head}`);
    }
    return name;
  }

  private nameOf(
    schema: z.core.$ZodType,
    def: Definition,
    members: object | null,
  ): string | undefined {
    const known = def.type === 'enum' && ENUMERATIONS.get(Object.values(def.entries).join());
    if (known) return known;
    return (schema as z.ZodType).meta?.()?.id ?? (members ? this.names.get(members) : undefined);
  }

  private write(def: Definition, indent: string): string {
    switch (def.type) {
      case 'string':
      case 'number':
      case 'boolean':
        return def.type;
      case 'enum':
        return unionOf(Object.values(def.entries) as string[], indent);
      case 'nullable':
        return `${this.typeOf(def.innerType, indent)} | null`;
      case 'optional':
        return this.typeOf(def.innerType, indent);
      case 'array':
        return this.arrayOf(this.typeOf(def.element, indent));
      case 'object':
        return this.objectOf(def.shape, indent);
      default:
        throw new TypeError(`The model has a ${def.type}, which the client's types lack.`);
    }
  }

  private arrayOf(element: string): string {
    return /^\w+$/.test(element) ? `${element}[]` : `Array<${element}>`;
  }

  private objectOf(shape: z.core.$ZodLooseShape, indent: string): string {
    const inner = `${indent}  `;
    const members = Object.entries(shape).map(([key, schema]) => {
      const mark = schema._zod.optin === 'optional' ? '?' : '';
      const text = comment(schema, inner);
      return `${text}${inner}${key}${mark}: ${this.typeOf(schema, inner)};`;
    });
    return `{\n${members.join('\n')}\n${indent}}`;
  }
}

/** What a description of its own leaves the same object. */
function membersOf(def: Definition): object | null {
  if (def.type === 'object') return def.shape;
  return def.type === 'enum' ? def.entries : null;
}

/** The description of a schema as a comment before it; nothing where it has none. */
function comment(schema: z.core.$ZodType, indent: string): string {
  const { description, deprecated } = (schema as z.ZodType).meta?.() ?? {};
  if (!description) return '';
  const text = deprecated ? `@deprecated ${description.replace(/^Deprecated, /, '')}` : description;
  return `${indent}/** ${text.replaceAll('*/', '* /')} */\n`;
}

function unionOf(words: readonly string[], indent: string): string {
  const quoted = words.map((word) => `'${word}'`);
  const short = quoted.join(' | ');
  if (short.length < 70) return short;
  return quoted.map((word) => `\n${indent}  | ${word}`).join('');
}
