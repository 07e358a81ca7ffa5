/** The query of `GET /v2/external/changes`. */
import type { z } from 'zod';
import type { ChangesQuery } from '../../query/queries.ts';
import { parseReleaseName } from '../../snapshot/keys.ts';
import {
  AFTER_CHANGE,
  afterIssues,
  SINCE,
  skipOf,
  skipParameter,
  UNTIL,
} from './copy-parameters.ts';
import { LIST_PARAMETERS } from './list-parameters.ts';
import { wholeParameterOr } from './number-parameter.ts';
import { ParameterSet } from './parameter-set.ts';
import { QueryReader } from './query-reader.ts';
import { issueOf } from './refusal.ts';

const STANDARD_LIMIT = 100;
export const MOST_CHANGES = 1000;

const SKIP = skipParameter('changes');
const LIMIT = wholeParameterOr(
  STANDARD_LIMIT,
  { name: 'limit', description: 'Maximum number of changes returned.', example: '1000' },
  { least: 0, most: MOST_CHANGES },
);

export const CHANGES_PARAMETERS = new ParameterSet([SINCE, UNTIL, SKIP, AFTER_CHANGE, LIMIT], {
  parameters: LIST_PARAMETERS.parameters,
  detail: 'Only lists of stores take it, not changes.',
});

const MISSING = { detail: 'Expected the release that the copy has.' };
const BACKWARDS = { detail: 'Expected since or a later release: nothing is compared backwards.' };

const askedSchema = CHANGES_PARAMETERS.schema();

type Asked = z.output<typeof askedSchema>;

export const CHANGES_QUERY = new QueryReader(
  CHANGES_PARAMETERS,
  // Whatever else is wrong: callers are told of everything at once.
  askedSchema.superRefine(lookAtAll, { when: () => true }).transform(decide),
);

/** Finds what is wrong with several parameters together. */
function lookAtAll(asked: Asked, context: z.core.$RefinementCtx): void {
  const { since, until } = asked;
  if (!(SINCE.name in asked)) {
    context.addIssue(issueOf(SINCE.name, 'missing_parameter', MISSING));
  }
  if (numberOf(until) < numberOf(since)) {
    context.addIssue(issueOf(UNTIL.name, 'release_before_since', BACKWARDS));
  }
  for (const issue of afterIssues(asked, [SKIP])) context.addIssue(issue);
}

/** The number of a release; that of none compares with nothing. */
function numberOf(name: unknown): number {
  return parseReleaseName(String(name))?.number ?? Number.NaN;
}

function decide({ since = '', until, skip, after, limit }: Asked): ChangesQuery {
  return { since, until: until ?? null, skip: skipOf(skip), after: after ?? null, limit };
}
