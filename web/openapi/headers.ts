/** Headers in the OpenAPI document, named as they are sent. */

import { CHALLENGE } from '../../src/model/problem.ts';
import type { Json, Schema } from './schemas.ts';

const TEXT = { type: 'string' } as const;
const REQUEST_ID = { type: 'string', pattern: '^[A-Za-z0-9._:-]{1,128}$' } as const;

/** Name of a release, for examples. */
export const EXAMPLE_RELEASE = '412-9f8e7d6c5b4a3210';

const EXAMPLE_TAG = '"9f8e7d6c5b4a3210-8c1f0e4a7b2d5936"';
const EXAMPLE_ID = '3f6c1a52-8d0e-4b7a-9c11-5e2f7a90b6d4';

const header = (description: string, example: string | number, schema: Schema = TEXT) => ({
  description,
  schema,
  example,
});

const RESPONSE_HEADERS = {
  allow: header('The methods that are answered.', 'GET, HEAD'),
  'cache-control': header(
    'You may keep the answer, but ask each time whether it is current.',
    'private, no-cache',
  ),
  etag: header('Changes when the content, the query or the attribution does.', EXAMPLE_TAG, {
    type: 'string',
    pattern: '^"[!#-~]+"$',
  }),
  'last-modified': header('When the release was published.', 'Sun, 01 Nov 2026 04:05:00 GMT'),
  link: {
    ...header(
      'Leads to the next page (rel="next"), if there is one: a path on the same address.',
      '</v2/external/stores?after=5bef9a9c18cee08c5bc0641d>; rel="next"',
    ),
    required: false,
  },
  'ratelimit-policy': {
    ...header(
      'How many requests (q) the token may send in how many seconds (w). Absent when the answer does not depend on the token.',
      '"default";q=600;w=60',
      { type: 'string', pattern: '^"default";q=[1-9][0-9]*;w=[1-9][0-9]*$' },
    ),
    required: false,
  },
  'retry-after': header('Seconds to wait.', 30, { type: 'integer', minimum: 1 }),
  'server-timing': header(
    'Milliseconds of auth, load, query and render.',
    'auth;dur=0, load;dur=12, query;dur=1, render;dur=1',
  ),
  vary: header('Answers differ by token.', 'x-access-token, x-api-key'),
  'www-authenticate': header('How to authenticate.', CHALLENGE),
  'x-request-id': header('Id of the request in logs.', EXAMPLE_ID, REQUEST_ID),
  'x-snapshot-release': header(
    'The release that the answer comes from: a number that only grows, and an id of its content.',
    EXAMPLE_RELEASE,
    { type: 'string', pattern: '^[1-9][0-9]*-[0-9a-f]{16}$' },
  ),
};

/** The headers that conditions of a list add to its answers. */
export const CONDITION_HEADERS = {
  'x-open-at': {
    required: false,
    ...header(
      'With `openAt`: the instants in UTC, ascending, each once, joined by a comma and a blank.',
      '2026-07-01T09:00:00.000Z, 2026-07-01T16:30:00.000Z',
    ),
  },
  'x-search-reading': {
    required: false,
    ...header(
      'With `q`: `exact` when the words were searched as they were typed; `close` when no store has all of them, so that slips were allowed. A 304 does not have it: the value of the answer that you kept still holds.',
      'exact',
      { type: 'string', enum: ['exact', 'close'] },
    ),
  },
};

export const HEADER_COMPONENTS = {
  ...RESPONSE_HEADERS,
  ...CONDITION_HEADERS,
};

/** Request headers of `listStores`, `getStore` and `listChanges`, besides the token. */
export const REQUEST_HEADERS = Object.entries({
  'if-none-match': header(
    'The `ETag` of an answer that you have. The status is 304 when it is still current.',
    EXAMPLE_TAG,
  ),
  'x-request-id': header(
    'An id of yours by which the request is found in logs. Without it the service makes one.',
    'nightly-import-17',
    REQUEST_ID,
  ),
}).map(([name, rest]) => ({ name, in: 'header', required: false, ...rest }));

/** Returns references to response headers, by name. */
export function headerRefs(names: readonly string[]): Json {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
