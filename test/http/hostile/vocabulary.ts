/** The words that hostile requests are made of: the service's own, and such as break other programs. */

import { CHANGES_PARAMETERS } from '../../../src/http/query/changes-parameters.ts';
import { GET_PARAMETERS } from '../../../src/http/query/get-parameters.ts';
import { HEALTH_PARAMETERS } from '../../../src/http/query/health-parameters.ts';
import { LIST_PARAMETERS } from '../../../src/http/query/list-parameters.ts';
import { LANGUAGES, VERTICALES } from '../../../src/model/enumerations.ts';
import { FIELD_PATHS } from '../../../src/model/field-paths.ts';
import { SORT_FIELDS } from '../../../src/model/sort-fields.ts';

export { FIELD_PATHS, LANGUAGES, VERTICALES };

/** Parameters by operation, with an example of each. */
export const PARAMETERS = {
  list: LIST_PARAMETERS.parameters,
  get: GET_PARAMETERS.parameters,
  changes: CHANGES_PARAMETERS.parameters,
  health: HEALTH_PARAMETERS.parameters,
} as const;

export const SORTABLE = Object.keys(SORT_FIELDS);

export const OPEN_PATHS = [
  ...['/', '/docs', '/docs/console', '/explore', '/openapi.json', '/healthz', '/favicon.ico'],
  ...['/docs/problems/internal', '/docs/problems/', '/docs/guides/quick-start', '/files/x.js'],
  ...['/v2', '/v1/external/stores', '/v2/external/stores/', '/robots.txt', '/.env', '/.git/config'],
];

/** Names that objects have anyway, or that other services give a meaning to. */
export const LOADED_NAMES = [
  ...['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'length', '0', '-1'],
  ...['then', 'valueOf', '__defineGetter__', '$where', '$gt', 'token', 'api_key', 'callback'],
  ...[
    'x-access-token',
    'skip[]',
    'limit[]',
    'fields[0]',
    'fields[a][b]',
    'verticale.in.x',
    '[]',
    '.',
  ],
];

/** Texts that are taken for something else where they are not escaped, or that end something. */
export const LOADED_VALUES = [
  ...[
    '<script>alert(1)</script>',
    '"><img src=x onerror=alert(1)>',
    '</title><svg/onload=1>',
    '&lt;b&gt;',
  ],
  ...["' OR 1=1 --", '{{7*7}}', '%{x}', '../../etc/passwd', '..\\..\\x', 'javascript:1'],
  ...['\u0000', '\r\nset-cookie: a=b', '\u2028', '\ufeff', '\u202e', 'é', '日本語', '😀', '\ud7ff'],
  ...['null', 'undefined', 'true', 'NaN', 'Infinity', '-Infinity', '[object Object]', '[]', '{}'],
];

/** Numbers as nobody expects them. */
export const ODD_NUMBERS = [
  ...['-0', '+1', '01', '1.', '.5', '0x10', '0b1', '1e3', '1e308', '1e309', '-1e309', '1e-400'],
  ...['1_000', '1,5', ' 1', '1 ', '9007199254740993', '99999999999999999999999999', '0.1e1', '1e'],
  ...[
    '100',
    '101',
    '50',
    '50.0000001',
    '-90',
    '90.0000001',
    '180',
    '-180.5',
    '٣',
    '½',
    '1n',
    '--1',
  ],
];

/** What is not percent-encoded UTF-8, or only just. */
export const BROKEN_ENCODINGS = [
  ...['%', '%%', '%z', '%zz', '%1', '%ff', '%c3', '%c3%28', '%e2%82', '%f0%9f%98', '%c0%80'],
  ...['%ed%a0%80', '%f8%88%80%80%80', '%00', '%0d%0a', '%u0041', '%25', '%252525', '%2', '+%+'],
];

export const METHODS = ['HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH'] as const;

/** Values of headers that are read, or that proxies and frameworks read. */
export const ODD_HEADERS: readonly (readonly [name: string, value: string])[] = [
  ...named('accept-language', [
    '*',
    'xx',
    'en;q=nope',
    'fr-FR,fr;q=0.9,en;q=0.8',
    ';;;',
    'en,'.repeat(2_000),
  ]),
  ...named('if-none-match', ['*', '"', '""', 'W/', 'W/""', '"a", "b"', 'a', '"'.repeat(8_001)]),
  ...named('if-none-match', [
    'W/"x",'.repeat(1_000),
    ',,,,',
    '"unclosed',
    'W/"a" W/"b"',
    ' * ',
    '**',
  ]),
  ...named('x-request-id', [
    'a',
    '<script>',
    'a b',
    'x'.repeat(128),
    'x'.repeat(129),
    'x'.repeat(8_000),
  ]),
  ...named('x-request-id', ['task_test_42', '"', '../..', '1;2', "'", 'a:b.c_d-e', '%0d%0a']),
  ...named('if-modified-since', ['yesterday', 'Thu, 01 Jan 1970 00:00:00 GMT', '0']),
  ...named('range', ['bytes=0-0', 'bytes=-1', 'bytes=9-1', 'lines=1-2']),
  ...named('accept', ['*/*', 'text/html', 'image/*;q=2', 'nonsense']),
  ...named('content-type', ['application/json', 'text/x', 'multipart/form-data; boundary=']),
  ...named('x-forwarded-for', ['127.0.0.1', '::1', 'x'.repeat(2_000)]),
  ...named('x-http-method-override', ['DELETE', 'POST']),
  ...named('x-original-url', ['/healthz', '/../..']),
  ...named('origin', ['null', 'https://elsewhere.example']),
  ...named('cookie', ['a=b', '='.repeat(4_000)]),
  ...named('authorization', ['Basic eA==', 'Bearer x', 'Bearer']),
  ...named('cf-connecting-ip', ['1.2.3.4', '::1', 'x', '1:'.repeat(500)]),
];

/** Tokens that open nothing. */
export const BAD_TOKENS = [
  ...['', 'x', 'sk_test_', 'sk_live_', `sk_live_${'a'.repeat(32)}`, `sk_test_${'b'.repeat(32)}`],
  ...[
    `sk_test_${'c'.repeat(129)}`,
    'x'.repeat(8_000),
    `${'p'.repeat(64)}sk_test_${'d'.repeat(22)}`,
  ],
  ...[
    `${'p'.repeat(65)}sk_test_${'e'.repeat(22)}`,
    'sk_test_<script>',
    `SK_TEST_${'f'.repeat(32)}`,
  ],
];

function named(name: string, values: readonly string[]) {
  return values.map((value) => [name, value] as const);
}
