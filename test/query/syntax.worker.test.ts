/**
 * How parameters are written: arrays, numbers, what is unknown, empty, repeated or badly encoded; and what a list
 * without any asks for. `conditions.test.ts` has the sentences of refusals.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CHANGES_QUERY } from '../../src/http/query/changes-query.ts';
import { suggestion } from '../../src/http/query/hints/closest-word.ts';
import { LIST_QUERY, LIST_SHAPE, MAX_LIMIT } from '../../src/http/query/list-query.ts';
import type { QuerySchema } from '../../src/http/query/query-schema.ts';
import { STORE_QUERY } from '../../src/http/query/store-query.ts';
import { countSlips } from '../../src/model/count-slips.ts';
import { VERTICALES } from '../../src/model/enumerations.ts';
import { isArray } from '../../src/query/parameters.ts';
import { isWithinSlips } from '../support/oracle/folded.ts';
import {
  askedBy,
  codesOf,
  examplesOf,
  faultsOf,
  parseGetQuery,
  parseListQuery,
  problemOf,
} from '../support/worker/query-faults.ts';

const NAMES = Object.entries(LIST_SHAPE).map(([name, schema]) => [name, isArray(schema)] as const);
const SINGLE = NAMES.flatMap(([name, isMany]) => (isMany ? [] : [name]));

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

describe('arrays', () => {
  it.each([
    'verticale.in%5B%5D=BIKE&verticale.in%5b%5d=SKI',
    'verticale%2Ein=BIKE&verticale.in=SKI%2CBIKE,SKI&verticale.in[]=BIKE',
  ])('%s', (query) => {
    expect(askedBy(query).conditions).toEqual(['verticales=BIKE,SKI;']);
  });

  it('report every bad item once', () => {
    expect(codesOf('verticale.in=A,BIKE,A&verticale.in[]=B,A')).toEqual([
      'unknown_value verticale.in',
      'unknown_value verticale.in',
    ]);
  });

  it.each(SINGLE)('are not taken by %s', (name) => {
    for (const brackets of ['[]', '%5B%5D']) {
      const faults = faultsOf(`${name}${brackets}=1`);
      expect(faults[0]).toMatchObject({ parameter: `${name}[]`, code: 'unknown_parameter' });
      expect(faults[0]?.detail).toContain(`"${name}"`);
    }
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

describe('what is not there', () => {
  it.each(NAMES)('refuses %s without a value', (name, array) => {
    for (const query of [name, `${name}=`, ...(array ? [`${name}[]=`, `${name}=,`] : [])]) {
      // A point lacks other parameters, too.
      const codes = codesOf(query).filter((code) => !code.startsWith('missing_parameter'));
      expect(codes).toEqual([`empty_value ${name}`]);
    }
  });

  it.each(['fields=id,', 'fields=id,+', 'fields=id,,slug', 'fields=id&fields='])(
    'refuses the empty item of %s',
    (query) => {
      expect(codesOf(query)).toEqual(['empty_value fields']);
    },
  );
});

describe('unknown parameters', () => {
  it.each<readonly [name: string, suggested: string]>([
    ['Limit', 'limit'],
    ['verticale.notin', 'verticale.notIn'],
    ['position.lattitude', 'position.latitude'],
    ['field', 'fields'],
    ['lagn', 'lang'],
    ['Radius', 'position.radius'],
    ['in', 'verticale.in'],
    ['position.lng', 'position.longitude'],
    ['offset', 'skip'],
    ...['a', 'toString', '', 'start', 'rentalPoint'].map((name) => [name, 'nothing'] as const),
  ])('%s is named, and %s suggested', (name, suggested) => {
    const faults = faultsOf(`${encodeURIComponent(name)}=1`);
    expect(faults).toHaveLength(1);
    expect(faults[0]).toMatchObject({ parameter: name, code: 'unknown_parameter' });
    const hint = suggested === 'nothing' ? /parameter\.$/ : `Did you mean "${suggested}"?`;
    expect(faults[0]?.detail).toMatch(hint);
  });

  it.each(['{base_url}', '__proto__', 'fields[0]', 'fields[][]', '[]'])(
    '"%s" is none of a list',
    (name) => {
      expect(codesOf(`${name}=fr`)).toEqual([`unknown_parameter ${name}`]);
    },
  );

  it.each<[parameter: string, detail: string, schema: QuerySchema, beside?: string]>([
    ['lng', 'There is no such parameter.', STORE_QUERY],
    [
      'isOpen',
      'There is no such parameter. Did you mean "at"? at tells of each store whether it is open at an instant, or now, and until when.',
      STORE_QUERY,
    ],
    // Lists have it, too.
    ['language', 'There is no such parameter. Did you mean "lang"?', STORE_QUERY],
    ...['skip', 'sort[]', 'position.radius', 'facets'].map(
      (name): [string, string, QuerySchema] => [
        name,
        'Only lists take it, not a single store.',
        STORE_QUERY,
      ],
    ),
    ['rentalPointSlug', 'Only a single store takes it, not lists.', LIST_QUERY],
    ['at', 'Lists of stores take it, not changes.', CHANGES_QUERY, `since=1-${'0'.repeat(16)}&`],
  ])(
    '%s is none of an operation, and it is said whose: %s',
    (parameter, detail, schema, beside = '') => {
      const fault = { parameter, code: 'unknown_parameter', detail };
      expect(faultsOf(`${beside}${parameter}=1`, schema)).toEqual([fault]);
    },
  );

  it('are reported once each, however often they come', () => {
    expect(codesOf('a=1&b=2&a=3')).toEqual(['unknown_parameter a', 'unknown_parameter b']);
  });
});

describe('slips', () => {
  it('are counted as defined, up to the limit', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 6 });
    fc.assert(
      fc.property(word, word, fc.integer({ min: 1, max: 7 }), (a, b, limit) => {
        const counts = Array.from({ length: limit }, (_, count) => count);
        const slips = counts.find((count) => isWithinSlips(count, [...a], [...b])) ?? limit;
        expect(countSlips(a, b, limit)).toBe(slips);
      }),
    );
  });

  it('suggest the first of words that are equally close', () => {
    expect(suggestion('nane', ['name', 'nave'])).toBe(' Did you mean "name"?');
  });

  it.each(['EBIKE', 'e-bike', 'e_bike'])('do not lead from %s to bikes without a motor', (text) => {
    expect(suggestion(text, VERTICALES)).toBe(' Did you mean "ELECTRIC_BIKE"?');
  });
});

it.each(examplesOf(LIST_QUERY).filter(([name]) => SINGLE.includes(name)))(
  '%s given twice is refused',
  (name, example) => {
    const codes = codesOf(`${name}=${example}&${name}=${example}`);
    expect(codes).toContain(`duplicate_parameter ${name}`);
  },
);

describe('encoding', () => {
  it('reads a plus sign as a space, and takes commas and equals signs where there is no array', () => {
    const { rentalPointSlug } = parseGetQuery('rentalPointSlug=caf%C3%A9+du%20port%2B,b=c');
    expect(rentalPointSlug).toBe('café du port+,b=c');
  });

  it('is malformed where decoding fails, and nowhere else', () => {
    const byte = fc.oneof(
      fc.integer({ min: 0x20, max: 0xff }),
      fc.constantFrom(0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc2, 0xdf, 0xe0, 0xed, 0xf0, 0xf4),
    );
    const piece = fc.oneof(
      fc.constantFrom('%', '%2', 'a', '%zz', '%e2%82%ac', '%F0%9F%98%80', '%ef%bb%bf'),
      byte.map((code) => `%${code.toString(16)}`),
    );
    fc.assert(
      fc.property(fc.array(piece, { minLength: 1, maxLength: 4 }), (pieces) => {
        const text = pieces.join('');
        const query = `rentalPointSlug=${text}`;
        let decoded: string | null = null;
        try {
          decoded = decodeURIComponent(text);
        } catch {}
        if (decoded !== null) expect(parseGetQuery(query).rentalPointSlug).toBe(decoded);
        else expect(codesOf(query, STORE_QUERY)).toEqual(['malformed_encoding rentalPointSlug']);
      }),
      { numRuns: 3000 },
    );
  });

  it('reports what is malformed beside all other faults', () => {
    expect(
      codesOf(
        '=x&__proto__=1&%zz=1&limit=%zz&fields=id,%ff&fields=nope&2=1&skip=%E2%82&skip=x&sort=lat',
      ),
    ).toEqual([
      ...['', '__proto__', '%zz', '2'].map((name) => `unknown_parameter ${name}`),
      'duplicate_parameter skip',
      'malformed_encoding skip',
      'malformed_value skip',
      'malformed_encoding limit',
      'unknown_value sort',
      'malformed_encoding fields',
      'unknown_value fields',
    ]);
  });
});

describe('the problem', () => {
  it.each([
    'country.in=fr,',
    'skip=9007199254740992',
    'q=+',
    'openAt=x',
    'bbox=,',
    'lang=%ff',
    'id.in=x',
  ])('has what concerns several parameters beside %s', (query) => {
    const codes = codesOf(`${query}&position.latitude=1&sort=distance&after=${'a'.repeat(24)}`);
    expect(codes).toEqual(
      expect.arrayContaining([
        'missing_parameter position.radius',
        'not_together position.latitude',
        'not_together sort',
      ]),
    );
  });

  it('puts a single fault into its detail', () => {
    const { message } = problemOf(() => parseListQuery('skip=-1'));
    expect(message).toBe('"skip": Expected an integer from 0, got "-1".');
  });
});
