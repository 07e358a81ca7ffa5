/** What a query asks for, and what is wrong with one, for tests of its parameters. */
import type * as z from 'zod';
import type { QuerySchema } from '../../../src/http/query/query-schema.ts';
import { type ParameterFault, ProblemError } from '../../../src/model/problem.ts';
import { parseListQuery } from '../parse-query.ts';

/** What the query of a list asks for, with the texts of its conditions. */
export function askedBy(query: string) {
  const { conditions, ...others } = parseListQuery(query);
  return { ...others, conditions: conditions.map(({ text }) => text) };
}

/** The problem that `parse` ends in; fails the test when the query is accepted. */
export function problemOf(parse: () => unknown): ProblemError {
  try {
    parse();
  } catch (error) {
    if (error instanceof ProblemError) return error;
    throw error;
  }
  throw new Error('the query was accepted');
}

/** The faults of the query of a list. */
export const faultsOf = (query: string): readonly ParameterFault[] =>
  problemOf(() => parseListQuery(query)).errors;

/** The same, each as `code parameter`. */
export const codesOf = (query: string): string[] =>
  faultsOf(query).map(({ code, parameter }) => `${code} ${parameter}`);

/** The parameters of an operation, each with its example. */
export const examplesOf = (schema: QuerySchema): (readonly [name: string, example: string])[] =>
  Object.entries(schema.shape).map(([name, parameter]) => [
    name,
    (parameter as z.ZodType).meta()?.example ?? '',
  ]);
