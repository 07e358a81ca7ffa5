/** What parameters for numbers and words accept and refuse; `conditions.test.ts` has those of conditions. */
import { describe, expect, it } from 'vitest';
import { MAX_LIMIT } from '../../src/http/query/list-query.ts';
import { LANGUAGES } from '../../src/model/enumerations.ts';
import { parseListQuery } from '../support/parse-query.ts';
import { codesOf, faultsOf } from '../support/worker/query-faults.ts';

describe('a list without parameters', () => {
  it.each(['', '&&'])('"%s" asks for the defaults', (query) => {
    expect(parseListQuery(query)).toEqual({
      skip: 0,
      limit: 100,
      conditions: [],
      sort: [],
      fields: null,
      language: null,
    });
  });
});

describe('numbers', () => {
  it.each([
    ['skip=9007199254740991', { skip: 2 ** 53 - 1 }],
    ['limit=0', { limit: 0 }],
    [`limit=${MAX_LIMIT}`, { limit: MAX_LIMIT }],
    ['limit=%31%30', { limit: 10 }],
  ])('%s', (query, expected) => {
    expect(parseListQuery(query)).toMatchObject(expected);
  });

  it.each([
    [`skip=${'9'.repeat(400)}`, 'out_of_range skip'],
    [`limit=${MAX_LIMIT + 1}`, 'out_of_range limit'],
    ['limit=-1', 'out_of_range limit'],
    ['limit=100.5', 'malformed_value limit'],
    ['skip=0.1', 'malformed_value skip'],
    ['limit=1e2', 'malformed_value limit'],
    ['limit=1E%2B2', 'malformed_value limit'],
    ['skip=-0', 'malformed_value skip'],
    ['skip=1e999', 'malformed_value skip'],
    ...[
      '0x10',
      '00',
      '007',
      '-01',
      '1e',
      'e1',
      '1e1.5',
      '1e2e3',
      '1_000',
      '+1',
      '%2B1',
      ' 1',
      '1 ',
      '.5',
      '5.',
      '1,0',
      'NaN',
      'Infinity',
      '--1',
      '١',
    ].map((text): [string, string] => [`limit=${text}`, 'malformed_value limit']),
  ])('%s is %s', (query, expected) => {
    expect(codesOf(query)).toEqual([expected]);
  });

  it.each([
    ['limit=500', 'out_of_range', `Expected 0 to ${MAX_LIMIT}, got "500".`],
    ['skip=-1', 'out_of_range', 'Expected an integer from 0, got "-1".'],
    [
      'skip=9007199254740992',
      'out_of_range',
      'Expected 0 to 9007199254740991, got "9007199254740992".',
    ],
    [
      'limit=1.0',
      'malformed_value',
      'Expected a whole number, written in digits alone, got "1.0".',
    ],
    [
      'limit=ten',
      'malformed_value',
      'Expected a whole number, written in digits alone, got "ten".',
    ],
    [
      'position.radius=ten&position.latitude=1&position.longitude=1',
      'malformed_value',
      'Expected a number such as 12, -0.5 or 1e-7, got "ten".',
    ],
    [
      'position.radius=1e999&position.latitude=1&position.longitude=1',
      'out_of_range',
      'Expected 0 to 50, got "1e999".',
    ],
  ])('%s is %s, which says what was expected and what was got', (query, code, detail) => {
    expect(faultsOf(query)).toMatchObject([{ code, detail }]);
  });
});

describe('words', () => {
  it.each([
    ['FR', ' Did you mean "fr"?'],
    ['it-IT', ' Did you mean "it"?'],
    ['xx', ''],
    ['fr,en', ''],
    ['__proto__', ''],
  ])('refuses lang=%s', (text, hint) => {
    expect(faultsOf(`lang=${text}`)).toEqual([
      {
        parameter: 'lang',
        code: 'unknown_value',
        detail: `Expected one of ${LANGUAGES.join(', ')}, got "${text}".${hint}`,
      },
    ]);
  });
});
