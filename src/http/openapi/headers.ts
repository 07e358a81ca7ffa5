/** Headers in the OpenAPI document, named as they are sent. */
import type { Json } from './schemas.ts';

const TEXT = { type: 'string' } as const;
const REQUEST_ID = { type: 'string', pattern: '^[A-Za-z0-9._:-]{1,128}$' } as const;

/** Request headers of the two operations, besides the token. */
const REQUEST_HEADER_COMPONENTS = {
  'if-none-match': {
    description: 'Tag of an answer the caller has; 304 when it is still current.',
    schema: TEXT,
  },
  'x-request-id': {
    description: 'Id to find the request in logs by; the service makes one up otherwise.',
    schema: REQUEST_ID,
  },
} as const;

const RESPONSE_HEADER_COMPONENTS = {
  allow: { description: 'The methods that are answered.', schema: TEXT },
  'cache-control': { description: 'May be kept, and is asked for again each time.', schema: TEXT },
  etag: {
    description: 'Strong tag over content, query and attribution.',
    schema: { type: 'string', pattern: '^"[!#-~]+"$' },
  },
  'last-modified': { description: 'When the release was published.', schema: TEXT },
  link: {
    description: 'With rel="next" the next page, where there is one. Relative to the request.',
    schema: TEXT,
  },
  'ratelimit-policy': {
    description: 'How many requests (q) the token may send in how many seconds (w).',
    schema: { type: 'string', pattern: '^"default";q=[1-9][0-9]*;w=[1-9][0-9]*$' },
  },
  'retry-after': { description: 'Seconds to wait.', schema: { type: 'integer', minimum: 1 } },
  'server-timing': { description: 'Milliseconds of auth, load, query and render.', schema: TEXT },
  vary: { description: 'Answers differ by token.', schema: TEXT },
  'www-authenticate': { description: 'How to authenticate.', schema: TEXT },
  'x-request-id': { description: 'Id of the request in logs.', schema: REQUEST_ID },
  'x-snapshot-release': {
    description:
      'Release of the stores that the answer comes from: a number that only grows, and an id of its content.',
    schema: { type: 'string', pattern: '^[1-9][0-9]*-[0-9a-f]{16}$' },
  },
} as const;

export type ResponseHeader = keyof typeof RESPONSE_HEADER_COMPONENTS;

export const HEADER_COMPONENTS: Json = RESPONSE_HEADER_COMPONENTS;

export const HEADER_PARAMETERS: Json = Object.fromEntries(
  Object.entries(REQUEST_HEADER_COMPONENTS).map(([name, header]) => [
    name,
    { name, in: 'header', required: false, ...header },
  ]),
);

/** References to all of them, for an operation. */
export const REQUEST_HEADERS: readonly Json[] = Object.keys(REQUEST_HEADER_COMPONENTS).map(
  (name) => ({ $ref: `#/components/parameters/${name}` }),
);

/** References to response headers, by name. */
export function headerRefs(...names: readonly ResponseHeader[]): Json {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
