/** The query of `GET /v2/external/changes`. */
import * as z from 'zod';
import { AFTER_CHANGE, checkAfter } from '../../query/conditions/after.ts';
import { addFault, parameter, textLike } from '../../query/parameters.ts';
import type { ChangesQuery, ParsedQuery } from '../../query/queries.ts';
import { parseReleaseName, RELEASE_NAME } from '../../snapshot/keys.ts';
import { LIST_SHAPE } from './list-query.ts';
import { querySchema } from './query-schema.ts';
import { DEFAULT_LIMIT, DEFAULT_SKIP, limitParameter, skipParameter } from './shared-parameters.ts';

export const MAX_CHANGES = 1000;

const RELEASE = textLike(RELEASE_NAME, 'the name of a release, as x-snapshot-release has it');

const OBJECT = z.strictObject({
  since: RELEASE.meta({
    description:
      'The release that your copy has: the `release` that the last changes named or, after reading the whole list, the `x-snapshot-release` of its pages. If the pages came from several releases, ask for the changes since each of them.',
    example: '41-0f8d2c4b6a917e35',
  }),
  until: parameter(RELEASE, {
    description:
      'The release to compare with instead of the live one; not earlier than `since`. `Link` carries it, so that all pages compare the same two releases.',
    example: '42-9b1e7d3f50c2a864',
  }),
  skip: skipParameter('changes'),
  after: AFTER_CHANGE,
  limit: limitParameter('Maximum number of changes returned.', MAX_CHANGES, '1000'),
});

export const CHANGES_QUERY = querySchema(
  OBJECT.superRefine(checkTogether, { when: () => true }),
  (values): ParsedQuery<ChangesQuery> => {
    const {
      since,
      until = null,
      skip = DEFAULT_SKIP,
      limit = DEFAULT_LIMIT,
      after = null,
    } = values;
    // Without `until` the answer depends on the live release: `listChanges` adds its name to the
    // tag.
    const canonical = `since=${since}&until=${until ?? 'live'}&skip=${skip}&after=${after?.toLowerCase() ?? ''}&limit=${limit}`;
    return { query: { since, until, skip, after, limit }, canonical };
  },
  { shape: LIST_SHAPE, detail: 'Lists of stores take it, not changes.' },
);

/**
 * Adds the faults of several parameters together.
 * @param sent values may have faults of their own
 */
function checkTogether(sent: z.output<typeof OBJECT>, context: z.RefinementCtx): void {
  checkAfter(sent, ['skip'], context);
  if (numberOf(sent.until) < numberOf(sent.since)) {
    const detail = 'Expected since or a later release: nothing is compared backwards.';
    addFault(context, 'out_of_range', detail, 'until');
  }
}

/** Returns the number of a release; NaN for a faulty name, so that no comparison holds. */
function numberOf(release: unknown): number {
  return parseReleaseName(String(release))?.number ?? Number.NaN;
}
