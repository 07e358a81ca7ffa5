/** What parameters for numbers and words accept and refuse; `conditions.test.ts` has the conditions. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_LIMIT } from '../../src/http/query/list-query.ts';
import { LANGUAGES } from '../../src/model/enumerations.ts';
import { codesOf, faultsOf, parseListQuery } from '../support/worker/query-faults.ts';

it.each(['', '&&'])('a list without parameters "%s" asks for the defaults', (query) => {
  expect(parseListQuery(query)).toEqual({
    skip: 0,
    limit: 100,
    conditions: [],
    sort: [],
    fields: null,
    language: null,
    at: null,
  });
});

describe('numbers', () => {
  it('are whole ones in digits alone, within their limits', () => {
    const text = fc.oneof(
      fc.string({ unit: fc.constantFrom(...'0123456789+-.eEx_, '), minLength: 1, maxLength: 4 }),
      fc.constantFrom(
        'NaN',
        'Infinity',
        '1e999',
        '١',
        '9'.repeat(400),
        `${MAX_LIMIT}`,
        '101',
        '-0',
      ),
      fc.constantFrom(`${Number.MAX_SAFE_INTEGER}`, `${Number.MAX_SAFE_INTEGER + 1}`),
    );
    const name = fc.constantFrom('limit', 'skip');
    fc.assert(
      fc.property(name, text, (of, number) => {
        fc.pre(number.trim() !== '');
        const query = `${of}=${encodeURIComponent(number)}`;
        const most = of === 'limit' ? MAX_LIMIT : Number.MAX_SAFE_INTEGER;
        const isWritten = /^-?(0|[1-9]\d*)$/.test(number) && number !== '-0';
        const isWithin = Number(number) >= 0 && Number(number) <= most;
        if (!isWritten) expect(codesOf(query)).toEqual([`malformed_value ${of}`]);
        else if (!isWithin) expect(codesOf(query)).toEqual([`out_of_range ${of}`]);
        else expect(parseListQuery(query)).toMatchObject({ [of]: Number(number) });
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([
    ['limit=500', 'out_of_range', `Expected 0 to ${MAX_LIMIT}, got "500".`],
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

it.each([
  ['FR', ' Did you mean "fr"?'],
  ['it-IT', ' Did you mean "it"?'],
  ['xx', ''],
  ['fr,en', ''],
  ['__proto__', ''],
])('lang=%s is refused', (text, hint) => {
  expect(faultsOf(`lang=${text}`)).toEqual([
    {
      parameter: 'lang',
      code: 'unknown_value',
      detail: `Expected one of ${LANGUAGES.join(', ')}, got "${text}".${hint}`,
    },
  ]);
});
