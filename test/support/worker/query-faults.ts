/** What a query asks for, and what is wrong with one, for tests of its parameters. */
import type * as z from 'zod';
import { LIST_QUERY } from '../../../src/http/query/list-query.ts';
import type { QuerySchema } from '../../../src/http/query/query-schema.ts';
import { readQuery } from '../../../src/http/query/read-query.ts';
import { STORE_QUERY } from '../../../src/http/query/store-query.ts';
import { type ParameterFault, ProblemError } from '../../../src/model/problem.ts';

/** What the text after `?` of a list asks for. @throws ProblemError with every fault of it */
export const parseListQuery = (query: string) => readQuery(LIST_QUERY, query).query;

/** The same for one store. */
export const parseGetQuery = (query: string) => readQuery(STORE_QUERY, query).query;

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

/** The faults of a query, of a list if no schema is given. */
export const faultsOf = (
  query: string,
  schema: QuerySchema = LIST_QUERY,
): readonly ParameterFault[] => problemOf(() => readQuery(schema, query)).errors;

/** The same, each as `code parameter`. */
export const codesOf = (...asked: Parameters<typeof faultsOf>): string[] =>
  faultsOf(...asked).map(({ code, parameter }) => `${code} ${parameter}`);

/** The parameters of an operation, each with its example. */
export const examplesOf = (schema: QuerySchema): (readonly [name: string, example: string])[] =>
  Object.entries(schema.shape).map(([name, parameter]) => [
    name,
    (parameter as z.ZodType).meta()?.example ?? '',
  ]);
