/** Enumerations in the OpenAPI document: each stands there once, with a name, and is referred to. */
import { FIELD_PATHS } from '../../model/field-paths.ts';
import { PROBLEM_CODES, PROBLEMS } from '../../problem.ts';
import { PARAMETER_FAULTS } from '../query/faults.ts';
import { SORT_ENTRIES } from '../query/sort-parameter.ts';
import { componentRef, type Json } from './schemas.ts';

/** Those that are no types of the model. */
const ENUMERATIONS: Json = {
  StoreFieldPath: {
    type: 'string',
    enum: FIELD_PATHS,
    description:
      'Path of a field of a store: names joined by dots. A path that leads through an array picks from each element.',
  },
  SortKey: {
    type: 'string',
    enum: SORT_ENTRIES,
    description:
      'Field to sort by, with the suffix `__asc` (ascending) or `__desc` (descending); without a suffix it is ascending.',
  },
  ProblemCode: {
    type: 'string',
    enum: PROBLEM_CODES,
    description: list(
      'Kind of problem. The codes are stable: programs go by them.',
      PROBLEM_CODES.map((code) => [code, `${PROBLEMS[code].status}, ${PROBLEMS[code].title}.`]),
    ),
  },
  ParameterFaultCode: {
    type: 'string',
    enum: Object.keys(PARAMETER_FAULTS),
    description: list(
      'Kind of fault of a parameter. The codes are stable: programs go by them.',
      Object.entries(PARAMETER_FAULTS),
    ),
  },
};

/** `document` with every enumeration among its components, and references where they stood. */
export function withNamedEnumerations(document: Json, schemas: Json): Json {
  const all = { ...schemas, ...ENUMERATIONS };
  const names = new Map(
    Object.entries(all).flatMap(([name, schema]) => {
      const { enum: words } = schema as Json;
      return Array.isArray(words) ? [[words.join(), name] as const] : [];
    }),
  );
  const named = Object.entries(all).map(([name, schema]) => {
    const isNamed = Array.isArray((schema as Json).enum);
    return [name, isNamed ? schema : referring(schema, names)];
  });
  const { components, ...rest } = referring(document, names) as Json;
  return { ...rest, components: { schemas: Object.fromEntries(named), ...Object(components) } };
}

/** `value` with a reference in the place of every schema that lists the words of a named one. */
function referring(value: unknown, names: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(value)) return value.map((each) => referring(each, names));
  if (typeof value !== 'object' || value === null) return value;
  const { type: _, enum: words, ...others } = value as Json;
  const name = Array.isArray(words) ? names.get(words.join()) : undefined;
  if (name !== undefined) return { ...others, ...componentRef(name) };
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, referring(each, names)]),
  );
}

/** CommonMark: a sentence and what each word means. */
function list(sentence: string, meanings: readonly (readonly [string, string])[]): string {
  return [sentence, '', ...meanings.map(([word, meaning]) => `- \`${word}\`: ${meaning}`)].join(
    '\n',
  );
}
