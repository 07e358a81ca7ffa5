/** The query of `GET /v2/external/changes`. */
import { z } from 'zod';
import type { ChangesQuery } from '../../query/queries.ts';
import { parseReleaseName } from '../../snapshot/keys.ts';
import { AFTER, readAfter, SINCE, UNTIL } from './copy-parameters.ts';
import { LIST_PARAMETERS } from './list-parameters.ts';
import { numberParameter } from './parameter.ts';
import { ParameterReader, ParameterSet } from './parameter-reader.ts';

const STANDARD_LIMIT = 100;
const MAX_LIMIT = 1000;

const SKIP = numberParameter(
  { name: 'skip', description: 'Number of changes to skip.', example: '100' },
  z.int().min(0).meta({ default: 0 }),
);
const LIMIT = numberParameter(
  { name: 'limit', description: 'Maximum number of changes returned.', example: '1000' },
  z.int().min(0).max(MAX_LIMIT).meta({ default: STANDARD_LIMIT }),
);

export const CHANGES_PARAMETERS = new ParameterSet([SINCE, UNTIL, SKIP, AFTER, LIMIT], {
  parameters: LIST_PARAMETERS.parameters,
  detail: 'Only lists of stores take it, not changes.',
});

/**
 * What the query for changes asks for.
 * @param query the text after `?`, as it was sent
 * @throws ProblemError invalid_parameters with every fault of the query
 */
export function parseChangesQuery(query: string): ChangesQuery {
  const reader = new ParameterReader(query, CHANGES_PARAMETERS);
  const since = reader.one(SINCE);
  const until = reader.one(UNTIL) ?? null;
  if (!reader.has(SINCE)) {
    const detail = 'Expected the release that the copy has.';
    reader.faults.add(SINCE.name, () => ({ code: 'missing_parameter', detail }));
  }
  if (since !== undefined && until !== null && numberOf(until) < numberOf(since)) {
    const detail = 'Expected since or a later release: nothing is compared backwards.';
    reader.faults.add(UNTIL.name, () => ({ code: 'release_before_since', detail }));
  }
  const parsed: ChangesQuery = {
    since: since ?? '',
    until,
    skip: reader.one(SKIP) ?? 0,
    after: readAfter(reader, [SKIP]),
    limit: reader.one(LIMIT) ?? STANDARD_LIMIT,
  };
  reader.faults.throwIfAny();
  return parsed;
}

const numberOf = (release: string): number => parseReleaseName(release)?.number ?? 0;
