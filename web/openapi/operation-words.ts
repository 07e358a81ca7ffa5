/** What the operations do, in CommonMark: what belongs to several parameters, or to none, stands here. */
import { HEALTH_PATH, OPENAPI_PATH } from '../../src/http/paths.ts';
import {
  CHANGES_EXAMPLES,
  GET_EXAMPLES,
  LIST_EXAMPLES,
  type RequestExample,
} from './request-examples.ts';

const ARRAYS =
  'An array is written `a=X,Y`; `a=X&a=Y` and `a[]=X&a[]=Y` mean the same, and repeated values count once. A parameter that the operation does not have, an empty value, and several values where one is expected are refused with a 400, which names all faults of the query.';

const LANGUAGE =
  'Localized content comes in `lang` if the store has that language, else in French, else in the default language of the store; without `lang` in that default. `localization.current` says which it is.';

export const LIST_WORDS = `Lists stores: those for which all filters hold, in the order of \`sort\`, \`limit\` of them after the first \`skip\`. \`total\` counts all that match, whatever \`skip\` and \`limit\` are. Without parameters it is the first 100 stores in the order of their ids.

${ARRAYS}

Parameters that depend on each other:

- \`position.latitude\`, \`position.longitude\` and \`position.radius\` are given together, or none of them.
- With a position, a store matches when its main location or one of its rental points lies within the radius. \`geo.location\` is then the nearest of its locations, \`rentalPointSlug\` names it if it is a rental point, and \`distance\` is there. Stores that hide their address do not match.
- \`after\` stands alone with filters and \`limit\`: \`skip\`, \`sort\` \`q\` or a position beside it is a 400.
- \`sort\` by \`distance\` needs a position. Without \`sort\`, lists come by \`distance\` with a position, with the best matches first with \`q\`, and else by \`id\`.
- \`lang\` is also the language by whose rules names are sorted.
- \`rentalPointSlug\` is for a single store; lists refuse it.

${LANGUAGE}

Examples:

${requests(LIST_EXAMPLES)}`;

export const CHANGES_WORDS = `For keeping a copy: which stores were added, changed or removed since a release, in the order of ids. Ask for the new content of added and changed stores by \`id.in\`, a hundred at a time.

Releases that were live within the last eight days are kept. A 410 says that one is not: the copy is made anew by a walk of the whole list. A 503 with the code \`release_not_here_yet\` says that the release has not reached this location of the service yet: ask again after \`Retry-After\` seconds.

Parameters that depend on each other:

- \`until\` is \`since\` or a later release; without it, the live release is compared.
- \`after\` and \`skip\` are not given together.

Examples:

${requests(CHANGES_EXAMPLES)}`;

export const GET_WORDS = `One store, by its id (in any case) or by its slug (exactly). An id or slug that no store has is a 404.

${ARRAYS}

With \`rentalPointSlug\` the answer is about that rental point: it becomes \`geo.location\`. The main location is no rental point, and stores that hide their address show none: both are a 404. Filters, \`sort\`, a position and paging are for lists; a single store refuses them.

${LANGUAGE}

Examples:

${requests(GET_EXAMPLES)}`;

export const HEALTH_WORDS = `Tells which release answers, how old it is, how many stores it has and when publishing last ran to its end. 503 when nothing can be served. With \`ran-within\` it is also 503 when publishing has not run to its end within so many seconds: \`GET ${HEALTH_PATH}?ran-within=10800\` is for an uptime monitor that is to notice within three hours. No token is needed.`;

export const OPENAPI_WORDS = `This document, as \`GET ${OPENAPI_PATH}\` answers it. No token is needed.`;

export const DOCS_WORDS = 'The documentation, as a page for people. No token is needed.';

export const PROBLEM_PAGE_WORDS =
  'What a kind of problem means, as a page for people: the `type` of a problem leads to it. No token is needed.';

function requests(examples: readonly RequestExample[]): string {
  return examples.map(({ summary, request }) => `- ${summary}: \`GET ${request}\``).join('\n');
}
