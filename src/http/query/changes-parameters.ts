/** The query of `GET /v2/external/changes`. */
import { one, textLike } from '../../parameters/parameter.ts';
import { parameterSet } from '../../parameters/parameter-set.ts';
import type { SentTexts } from '../../parameters/query-text.ts';
import type { ParameterFault } from '../../problem.ts';
import { AFTER_CHANGE, notBesideAfter } from '../../query/conditions/after.ts';
import type { ChangesQuery, ParsedQuery } from '../../query/queries.ts';
import { parseReleaseName, RELEASE_NAME } from '../../snapshot/keys.ts';
import { LIST_PARAMETERS } from './list-parameters.ts';
import {
  limitParameter,
  STANDARD_LIMIT,
  STANDARD_SKIP,
  skipParameter,
} from './shared-parameters.ts';

export const MOST_CHANGES = 1000;

const RELEASE = textLike(
  RELEASE_NAME,
  'not_a_release',
  'the name of a release, as x-snapshot-release has it',
);

export const SINCE = {
  ...one(
    {
      name: 'since',
      description:
        'The release that your copy has: the `release` that the last changes named or, after reading the whole list, the `x-snapshot-release` of its pages. If the pages came from several releases, ask for the changes since each of them.',
      example: '41-0f8d2c4b6a917e35',
    },
    RELEASE,
  ),
  required: true,
} as const;

export const UNTIL = one(
  {
    name: 'until',
    description:
      'The release to compare with instead of the live one; not earlier than `since`. `Link` carries it, so that all pages compare the same two releases.',
    example: '42-9b1e7d3f50c2a864',
  },
  RELEASE,
);

const SKIP = skipParameter('changes');
const LIMIT = limitParameter('Maximum number of changes returned.', MOST_CHANGES, '1000');

export const CHANGES_PARAMETERS = parameterSet({
  parameters: [SINCE, UNTIL, SKIP, AFTER_CHANGE, LIMIT],
  elsewhere: {
    parameters: LIST_PARAMETERS.parameters,
    detail: 'Only lists of stores take it, not changes.',
  },
  checkTogether,
  decide(asked): ParsedQuery<ChangesQuery> {
    const { since = '', until = null, skip = STANDARD_SKIP, limit = STANDARD_LIMIT } = asked;
    const { after = null } = asked;
    // Without `until` the answer depends on what is live, too.
    const canonical = `since=${since}&until=${until ?? 'live'}&skip=${skip}&after=${after?.toLowerCase() ?? ''}&limit=${limit}`;
    return { query: { since, until, skip, after, limit }, canonical };
  },
});

function checkTogether(texts: SentTexts): ParameterFault[] {
  const faults = notBesideAfter(texts, [SKIP]);
  if (!texts.has(SINCE.name)) {
    const detail = 'Expected the release that the copy has.';
    faults.push({ parameter: SINCE.name, code: 'missing_parameter', detail });
  }
  if (numberOf(texts, UNTIL) < numberOf(texts, SINCE)) {
    const detail = 'Expected since or a later release: nothing is compared backwards.';
    faults.push({ parameter: UNTIL.name, code: 'release_before_since', detail });
  }
  return faults;
}

/** The number of a release; that of none compares with nothing. */
function numberOf(texts: SentTexts, { name }: { readonly name: string }): number {
  const [release, ...others] = texts.get(name) ?? [];
  const isOne = typeof release === 'string' && others.length === 0;
  return (isOne ? parseReleaseName(release)?.number : undefined) ?? Number.NaN;
}
