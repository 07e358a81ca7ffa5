/** What numbers parameters accept, and what none asks for; `conditions.test.ts` has the sentences of refusals. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_LIMIT } from '../../src/http/query/list-query.ts';
import { codesOf, parseListQuery } from '../support/worker/query-faults.ts';

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
});
