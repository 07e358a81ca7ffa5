/** What parameters for numbers, places and words accept and refuse, at the two parsers. */
import { describe, expect, it, vi } from 'vitest';
import { LANGUAGES } from '../../src/model/enumerations.ts';
import { parseListQuery } from '../support/parse-query.ts';
import { askedBy, codesOf, faultsOf } from '../support/worker/query-faults.ts';

describe('a list without parameters', () => {
  it.each(['', '&&'])('"%s" asks for the defaults', (query) => {
    expect(parseListQuery(query)).toEqual({
      skip: 0,
      limit: 100,
      conditions: [],
      sort: [],
      openAt: null,
      facets: [],
      fields: null,
      language: null,
    });
  });
});

describe('numbers', () => {
  it.each([
    ['skip=9007199254740991', { skip: 2 ** 53 - 1 }],
    ['limit=0', { limit: 0 }],
    ['limit=100', { limit: 100 }],
    ['limit=%31%30', { limit: 10 }],
  ])('%s', (query, expected) => {
    expect(parseListQuery(query)).toMatchObject(expected);
  });

  it.each([
    [`skip=${'9'.repeat(400)}`, 'out_of_range skip'],
    ['limit=101', 'out_of_range limit'],
    ['limit=-1', 'out_of_range limit'],
    ['limit=100.5', 'not_an_integer limit'],
    ['skip=0.1', 'not_an_integer skip'],
    ['limit=1e2', 'not_an_integer limit'],
    ['limit=1E%2B2', 'not_an_integer limit'],
    ['skip=-0', 'not_an_integer skip'],
    ['skip=1e999', 'not_an_integer skip'],
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
    ].map((text): [string, string] => [`limit=${text}`, 'not_a_number limit']),
  ])('%s is %s', (query, expected) => {
    expect(codesOf(query)).toEqual([expected]);
  });

  it.each([
    ['limit=500', 'out_of_range', 'Expected 0 to 100, got "500".'],
    ['skip=-1', 'out_of_range', 'Expected an integer from 0, got "-1".'],
    [
      'skip=9007199254740992',
      'out_of_range',
      'Expected 0 to 9007199254740991, got "9007199254740992".',
    ],
    ['limit=1.0', 'not_an_integer', 'Expected a whole number, written in digits alone, got "1.0".'],
    ['limit=ten', 'not_a_number', 'Expected a number such as 12, -0.5 or 1e-7, got "ten".'],
  ])('%s is %s, which says what was expected and what was got', (query, code, detail) => {
    expect(faultsOf(query)).toMatchObject([{ code, detail }]);
  });
});

describe('an area', () => {
  it.each([
    ['-1e1,46.3,-0,46.6', 'bbox=-10,46.3,0,46.6'],
    ['170,-90,-170,90', 'bbox=170,-90,-170,90'],
  ])('%s is read as %s', (text, expected) => {
    expect(askedBy(`bbox=${text}`).conditions).toEqual([expected]);
  });

  const EXPECTED = 'Expected west,south,east,north in degrees, such as 11.2,46.3,11.5,46.6';

  it.each([
    ['1,2,3', 'not_a_bbox', `${EXPECTED}, got "1,2,3".`],
    ['1,2,3,4,5', 'not_a_bbox', `${EXPECTED}, got "1,2,3,4,5".`],
    ['1, 2,3,4', 'not_a_bbox', `${EXPECTED}, got "1, 2,3,4".`],
    ['1,2,3,', 'not_a_bbox', `${EXPECTED}, got "1,2,3,".`],
    ['1,5,3,4', 'south_above_north', `${EXPECTED}, south not above north, got "1,5,3,4".`],
    [
      '46.3,111.2,46.6,111.5',
      'out_of_range',
      `${EXPECTED}, longitudes from -180 to 180 and latitudes from -90 to 90, got "46.3,111.2,46.6,111.5". Longitude comes first: did you mean "111.2,46.3,111.5,46.6"?`,
    ],
    [
      '1,2,181,4',
      'out_of_range',
      `${EXPECTED}, longitudes from -180 to 180 and latitudes from -90 to 90, got "1,2,181,4".`,
    ],
  ])('%s is %s', (text, code, detail) => {
    const fault = { parameter: 'bbox', code, detail };
    expect(faultsOf(`bbox=${encodeURIComponent(text)}`)).toEqual([fault]);
  });

  it('is refused beside a position', () => {
    const beside = 'bbox=1,2,3,4&position.latitude=2&position.longitude=2&position.radius=5';
    expect(codesOf(beside)).toEqual(['not_beside_position bbox']);
  });
});

describe('an instant', () => {
  const EXPECTED = 'Expected now, or an instant with its offset such as 2026-07-01T18:30:00+02:00';

  it.each([
    ['2000-01-01T00:00Z', '2000-01-01T00:00:00.000Z'],
    ['2101-01-01T13:59:59.999999999+14:00', '2100-12-31T23:59:59.999Z'],
    ['2028-02-29T23:59:59.1+23:59', '2028-02-29T00:00:59.100Z'],
    ['2026-07-01T10:00 02:00', '2026-07-01T08:00:00.000Z'],
  ])('%s is read as %s', (text, expected) => {
    expect(parseListQuery(`openAt=${encodeURIComponent(text)}`).openAt).toBe(expected);
  });

  it.each([
    ['2026-07-01', 'not_an_instant', ''],
    ['2026-02-29T10:00Z', 'not_an_instant', ''],
    ['2026-07-01T24:00Z', 'not_an_instant', ''],
    ['2026-07-01T10:00:60Z', 'not_an_instant', ''],
    ['2026-07-01T10:00:00.Z', 'not_an_instant', ''],
    ['2026-07-01T10:00:00.1234567890Z', 'not_an_instant', ''],
    ['2026-07-01t10:00z', 'not_an_instant', ''],
    ['2026-07-01T10:00+0200', 'not_an_instant', ''],
    ['Now', 'not_an_instant', ''],
    ['1751364000', 'not_an_instant', ''],
    ['2026-07-01T10:00', 'offset_missing', ', which does not say in which time zone it is'],
    ['1999-12-31T23:59:59Z', 'out_of_range', ''],
    ['2101-01-01T00:00Z', 'out_of_range', ''],
    ['2101-01-01T13:59:59.9999-10:00', 'out_of_range', ''],
  ])('%s is %s', (text, code, reason) => {
    const range = code === 'out_of_range' ? ', in the years 2000 to 2100' : '';
    const detail = `${EXPECTED}${range}, got "${text}"${reason}.`;
    const fault = { parameter: 'openAt', code, detail };
    expect(faultsOf(`openAt=${encodeURIComponent(text)}`)).toEqual([fault]);
  });

  it('is another one each minute for now', () => {
    vi.useFakeTimers({ now: new Date('2026-07-01T10:00:59.999Z'), toFake: ['Date'] });
    expect(parseListQuery('openAt=now').openAt).toBe('2026-07-01T10:00:00.000Z');
    vi.setSystemTime(new Date('2026-07-01T10:01:00Z'));
    expect(parseListQuery('openAt=now').openAt).toBe('2026-07-01T10:01:00.000Z');
    vi.useRealTimers();
  });
});

describe('a search', () => {
  const EXPECTED = 'Expected 1 to 8 words of letters and digits, such as "bike lyon"';

  it.each([
    [' - ! ', 'no_words', `${EXPECTED}, got " - ! ".`],
    ['a b c d e f g h i', 'too_many_words', `${EXPECTED}, got 9.`],
    ['🚲'.repeat(101), 'text_too_long', 'Expected at most 100 characters, got 101.'],
  ])('%s is %s', (text, code, detail) => {
    expect(faultsOf(`q=${encodeURIComponent(text)}`)).toEqual([{ parameter: 'q', code, detail }]);
  });

  it('takes at most eight different words within a hundred characters, white space aside', () => {
    const most = `  ${'A a B-c/d,e.f_g½'.padEnd(100, '!')}  `;
    expect(askedBy(`q=${encodeURIComponent(most)}`).conditions).toEqual(['q=2+a+b+c+d+e+f+g1']);
  });

  it('is refused beside after', () => {
    expect(codesOf(`q=bike&after=${'a'.repeat(24)}`)).toEqual(['not_beside_after q']);
  });
});

describe('a position', () => {
  const position = (latitude: string, longitude: string, radius: string) =>
    `position.latitude=${latitude}&position.longitude=${longitude}&position.radius=${radius}`;

  it.each([
    ['48.5', '-7.25', '50', '48.5,-7.25,50'],
    ['-90', '-180', '0', '-90,-180,0'],
    ['90.000', '180', '0.001', '90,180,0.001'],
    ['1e-7', '-1.5E1', '5e%2B0', '1e-7,-15,5'],
    ['0e9', '1e02', '1e-400', '0,100,0'],
  ])('%s %s %s', (latitude, longitude, radius, expected) => {
    expect(askedBy(position(latitude, longitude, radius)).conditions).toEqual([
      `position=${expected}`,
    ]);
  });

  it.each([
    [position('90.0001', '0', '1'), ['out_of_range position.latitude']],
    [position('-91', '0', '1'), ['out_of_range position.latitude']],
    [position('0', '180.5', '1'), ['out_of_range position.longitude']],
    [position('0', '-181', '1'), ['out_of_range position.longitude']],
    [position('0', '0', '50.01'), ['out_of_range position.radius']],
    [position('0', '0', '-0.1'), ['out_of_range position.radius']],
    [
      position('00.5', '%2B1', '0x1'),
      [
        'not_a_number position.radius',
        'not_a_number position.latitude',
        'not_a_number position.longitude',
      ],
    ],
    [
      position('.5', 'x', ''),
      [
        'empty_value position.radius',
        'not_a_number position.latitude',
        'not_a_number position.longitude',
      ],
    ],
  ])('%s is refused', (query, expected) => {
    expect(codesOf(query)).toEqual(expected);
  });

  it.each([
    ['position.radius=5', ['latitude', 'longitude']],
    ['position.latitude=5', ['radius', 'longitude']],
    ['position.longitude=5&position.radius=0', ['latitude']],
  ])('blames each parameter missing from %s', (query, missing) => {
    expect(codesOf(query)).toEqual(missing.map((name) => `missing_parameter position.${name}`));
  });

  it('that is incomplete and wrong is blamed for both', () => {
    expect(codesOf('position.radius=51')).toEqual([
      'missing_parameter position.latitude',
      'missing_parameter position.longitude',
      'out_of_range position.radius',
    ]);
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

  it.each(['in', 'notIn', 'equals', 'notEquals'])('refuses those of verticale.%s', (name) => {
    expect(codesOf(`verticale.${name}=bike`)).toEqual([`unknown_value verticale.${name}`]);
  });
});
