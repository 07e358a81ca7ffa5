/** What is wrong with a query, for tests of its parameters. */
import { parseListQuery } from '../../src/http/query/list-parameters.ts';
import { type ParameterFault, ProblemError } from '../../src/problem.ts';

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
