/** How parameters are written: arrays, what is unknown, empty, repeated or badly encoded. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countSlips, suggestion } from '../../src/http/query/hints/closest-word.ts';
import { LIST_QUERY, LIST_SHAPE } from '../../src/http/query/list-query.ts';
import { isArray } from '../../src/query/parameters.ts';
import { parseGetQuery, parseListQuery } from '../support/parse-query.ts';
import {
  askedBy,
  codesOf,
  examplesOf,
  faultsOf,
  problemOf,
} from '../support/worker/query-faults.ts';

const NAMES = Object.entries(LIST_SHAPE).map(([name, schema]) => [name, isArray(schema)] as const);
const SINGLE = NAMES.flatMap(([name, isMany]) => (isMany ? [] : [name]));

describe('arrays', () => {
  it.each([
    'verticale.in=BIKE&verticale.in=SKI',
    'verticale.in=BIKE,SKI',
    'verticale.in[]=BIKE&verticale.in[]=SKI',
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
  it.each([
    ['Limit', 'limit'],
    ['verticale.notin', 'verticale.notIn'],
    ['position.lattitude', 'position.latitude'],
    ['field', 'fields'],
    ['lagn', 'lang'],
    ['Radius', 'position.radius'],
    ['in', 'verticale.in'],
    ['notEquals', 'verticale.notEquals'],
    ['position.lng', 'position.longitude'],
    ['offset', 'skip'],
    ['per_page', 'limit'],
    ['order_by', 'sort'],
    ['select', 'fields'],
  ])('%s is named, and %s suggested', (name, suggested) => {
    const faults = faultsOf(`${encodeURIComponent(name)}=1`);
    expect(faults).toHaveLength(1);
    expect(faults[0]).toMatchObject({ parameter: name, code: 'unknown_parameter' });
    expect(faults[0]?.detail).toContain(`Did you mean "${suggested}"?`);
  });

  it.each(['a', 'constructor', 'toString', '*', '', 'start', 'rentalPoint'])(
    '"%s" is like none, and nothing is suggested',
    (name) => {
      expect(faultsOf(`${name}=1`).map(({ detail }) => detail)).toEqual([
        'There is no such parameter.',
      ]);
    },
  );

  it('lng of one store is like none, and not like lang', () => {
    const { errors } = problemOf(() => parseGetQuery('lng=1'));
    expect(errors[0]?.detail).toBe('There is no such parameter.');
  });

  it('isOpen of one store is meant to be at', () => {
    const { errors } = problemOf(() => parseGetQuery('isOpen=true'));
    expect(errors[0]?.detail).toBe(
      'There is no such parameter. Did you mean "at"? at tells of each store whether it is open at an instant, or now, and until when.',
    );
  });

  it('language of one store, which lists have too, is meant to be lang, once', () => {
    const { errors } = problemOf(() => parseGetQuery('language=pl'));
    expect(errors[0]?.detail).toBe('There is no such parameter. Did you mean "lang"?');
  });

  it.each(['{base_url}', '__proto__', 'fields[0]', 'fields[][]', '[]'])(
    '"%s" is none of a list',
    (name) => {
      expect(codesOf(`${name}=fr`)).toEqual([`unknown_parameter ${name}`]);
    },
  );

  it.each(['skip', 'sort[]', 'position.radius', 'facets'])(
    '%s of one store is said to be for lists',
    (parameter) => {
      const detail = 'Only lists take it, not a single store.';
      const fault = { parameter, code: 'unknown_parameter', detail };
      expect(problemOf(() => parseGetQuery(`${parameter}=1`)).errors).toEqual([fault]);
    },
  );

  it('rentalPointSlug of a list is said to be for one store', () => {
    const detail = 'Only a single store takes it, not lists.';
    const fault = { parameter: 'rentalPointSlug', code: 'unknown_parameter', detail };
    expect(faultsOf('rentalPointSlug=a')).toEqual([fault]);
  });

  it('are reported once each, however often they come', () => {
    expect(codesOf('a=1&b=2&a=3')).toEqual(['unknown_parameter a', 'unknown_parameter b']);
  });
});

describe('slips', () => {
  it('are counted as defined, up to the limit', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 6 });
    fc.assert(
      fc.property(word, word, fc.integer({ min: 1, max: 7 }), (a, b, limit) => {
        expect(countSlips(a, b, limit)).toBe(Math.min(slipsByDefinition(a, b), limit));
      }),
    );
  });

  it('suggest the first of words that are equally close', () => {
    expect(suggestion('nane', ['name', 'nave'])).toBe(' Did you mean "name"?');
  });
});

/** The distance by its definition, over all ways to begin. */
function slipsByDefinition(a: string, b: string): number {
  if (a === '' || b === '') return a.length + b.length;
  const [restOfA, restOfB] = [a.slice(1), b.slice(1)];
  const ways = [
    slipsByDefinition(restOfA, b) + 1,
    slipsByDefinition(a, restOfB) + 1,
    slipsByDefinition(restOfA, restOfB) + (a[0] === b[0] ? 0 : 1),
  ];
  if (a.length > 1 && a[0] === b[1] && a[1] === b[0]) {
    ways.push(slipsByDefinition(a.slice(2), b.slice(2)) + 1);
  }
  return Math.min(...ways);
}

describe('parameters given twice', () => {
  it.each(examplesOf(LIST_QUERY).filter(([name]) => SINGLE.includes(name)))(
    '%s is refused',
    (name, example) => {
      const codes = codesOf(`${name}=${example}&${name}=${example}`);
      expect(codes).toContain(`duplicate_parameter ${name}`);
    },
  );

  it('refuses two rental points, and one without a name', () => {
    const { errors } = problemOf(() => parseGetQuery('rentalPointSlug=&rentalPointSlug=b'));
    expect(errors.map(({ code }) => code)).toEqual(['duplicate_parameter', 'empty_value']);
  });
});

describe('encoding', () => {
  it('reads a plus sign as a space, and takes commas and equals signs where there is no array', () => {
    const { rentalPointSlug } = parseGetQuery('rentalPointSlug=caf%C3%A9+du%20port%2B,b=c');
    expect(rentalPointSlug).toBe('café du port+,b=c');
  });

  it.each(['lang=%zz', 'fields=id,%'])('refuses %s', (query) => {
    const [name] = query.split('=');
    expect(codesOf(query)).toEqual([`malformed_encoding ${name}`]);
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
        const read = () => parseGetQuery(`rentalPointSlug=${text}`).rentalPointSlug;
        let decoded: string | null = null;
        try {
          decoded = decodeURIComponent(text);
        } catch {}
        if (decoded !== null) expect(read()).toBe(decoded);
        else expect(problemOf(read).errors.map(({ code }) => code)).toEqual(['malformed_encoding']);
      }),
      { numRuns: 3000 },
    );
  });

  it('reports what is malformed beside all other faults', () => {
    expect(
      codesOf('=x&__proto__=1&limit=%zz&fields=id,%ff&fields=nope&2=1&skip=%E2%82&skip=x&sort=lat'),
    ).toEqual([
      ...['', '__proto__', '2'].map((name) => `unknown_parameter ${name}`),
      'duplicate_parameter skip',
      'malformed_encoding skip',
      'malformed_value skip',
      'malformed_encoding limit',
      'unknown_value sort',
      'malformed_encoding fields',
      'unknown_value fields',
    ]);
  });

  it('refuses a malformed name as unknown', () => {
    expect(codesOf('%zz=1')).toEqual(['unknown_parameter %zz']);
  });
});

describe('the problem', () => {
  it('has every fault of the request at once', () => {
    const query =
      'limit=500&skip=-1&lang=xx&fields=nope&sort=lat&verticale.in=X&position.radius=5&foo=1';
    const problem = problemOf(() => parseListQuery(query));
    expect(problem).toMatchObject({ code: 'invalid_parameters', status: 400 });
    expect(new Set(problem.errors.map(({ parameter }) => parameter))).toEqual(
      new Set([
        ...['limit', 'skip', 'lang', 'fields', 'sort', 'verticale.in', 'foo'],
        ...['position.latitude', 'position.longitude'],
      ]),
    );
    expect(problem.message).toBe('9 faults, see errors.');
  });

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

  it.each(Object.keys(LIST_SHAPE))('has it beside an empty %s', (name) => {
    expect(codesOf(`${name}=&skip=1&after=${'a'.repeat(24)}`)).toContain('not_together skip');
  });

  it('puts a single fault into its detail', () => {
    const { message } = problemOf(() => parseListQuery('skip=-1'));
    expect(message).toBe('"skip": Expected an integer from 0, got "-1".');
  });
});
