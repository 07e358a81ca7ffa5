/** The address of `/explore`: what it brings back, and what it never holds. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LANGUAGES, VERTICALES } from '../../src/model/enumerations.ts';
import { FIELD_PATHS } from '../../src/model/field-paths.ts';
import { SORT_FIELDS } from '../../src/model/sort-fields.ts';
import { readAddress, writeAddress } from '../../web/explore/browser/address.ts';
import {
  CHANGES,
  type ExploreState,
  FIRST_STATE,
  OPENING_MODES,
} from '../../web/explore/browser/state.ts';

const VOCABULARY = {
  verticales: VERTICALES,
  languages: LANGUAGES,
  sortFields: Object.keys(SORT_FIELDS),
  fieldPaths: FIELD_PATHS,
};

/** Degrees or kilometres as the page writes them. */
const decimal = (most: number, least = -most) =>
  fc
    .integer({ min: least * 100, max: most * 100 })
    // No address holds a negative zero.
    .map((hundredths) => (hundredths === 0 ? 0 : hundredths / 100));

const position = fc.record({
  latitude: decimal(90),
  longitude: decimal(180),
  radius: decimal(50, 0),
});

const states: fc.Arbitrary<ExploreState> = fc
  .record({
    position: fc.option(position),
    verticales: fc.subarray([...VERTICALES]),
    verticaleFilter: fc.constantFrom('in' as const, 'notIn' as const),
    lang: fc.option(fc.constantFrom(...LANGUAGES)),
    sort: fc.option(
      fc
        .tuple(fc.constantFrom(...Object.keys(SORT_FIELDS)), fc.constantFrom('__asc', '__desc'))
        .map(([field, direction]) => field + direction),
    ),
    fields: fc.subarray([...FIELD_PATHS], { maxLength: 9 }),
    opening: fc.constantFrom(...OPENING_MODES),
    at: fc.option(fc.integer({ min: 0, max: 4e12 })),
    store: fc.option(fc.stringMatching(/^[0-9a-f]{24}$/)),
    view: fc.option(
      fc.record({ zoom: decimal(13, 0), latitude: decimal(85), longitude: decimal(180) }),
    ),
    onlyInView: fc.boolean(),
    changes: fc.subarray([...CHANGES]),
  })
  .map((state) => ({
    ...state,
    // Which of the two is meant shows only where there is something to want.
    verticaleFilter: state.verticales.length > 0 ? state.verticaleFilter : 'in',
    sort: !state.position && state.sort?.startsWith('distance') ? null : state.sort,
  }));

describe('the address of a state', () => {
  it('brings back all of it', () => {
    fc.assert(
      fc.property(states, (state) => {
        expect(readAddress(`#${writeAddress(state)}`, VOCABULARY)).toEqual(state);
      }),
    );
  });

  it('is empty for the first one', () => {
    expect(writeAddress(FIRST_STATE)).toBe('');
    expect(readAddress('', VOCABULARY)).toEqual(FIRST_STATE);
  });

  it('reads like a query of the service', () => {
    const address = writeAddress({
      ...FIRST_STATE,
      position: { latitude: 48.86, longitude: 2.35, radius: 25 },
      verticales: ['BIKE', 'CAR'],
      lang: 'fr',
    });
    expect(address).toBe(
      'position.latitude=48.86&position.longitude=2.35&position.radius=25&verticale.in=BIKE,CAR&lang=fr',
    );
  });

  it('leaves out whatever is not understood', () => {
    const nonsense = [
      'position.latitude=91&position.longitude=2&position.radius=3',
      'position.latitude=48',
      'verticale.in=SPACESHIP&lang=xx&sort=distance__asc&fields=nothing',
      'store=../etc&map=1,2&at=yesterday&opening=perhaps',
      'token=sk_test_0123456789abcdefghijkl&%ff',
    ];
    for (const text of nonsense) expect(readAddress(text, VOCABULARY), text).toEqual(FIRST_STATE);
  });

  it('keeps a radius within what the service takes', () => {
    const address = 'position.latitude=1&position.longitude=2&position.radius=900';
    expect(readAddress(address, VOCABULARY).position?.radius).toBe(50);
  });
});
