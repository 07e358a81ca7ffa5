/** The address of `/explore`: what it brings back, and what it never holds. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LANGUAGES, VERTICALES } from '../../src/model/enumerations.ts';
import { addressOf, FIRST_STATE, readAddress } from '../../web/explore/browser/address.ts';
import { type ExploreState, ORDERS } from '../../web/explore/browser/state.ts';

/** Degrees or kilometres as the page writes them. */
const decimal = (most: number, least = -most) =>
  fc
    .integer({ min: least * 100, max: most * 100 })
    // No address holds a negative zero.
    .map((hundredths) => (hundredths === 0 ? 0 : hundredths / 100));

const place = fc.record({
  latitude: decimal(90),
  longitude: decimal(180),
  radius: decimal(50, 0),
  name: fc.constantFrom(null, 'Lyon', 'Saint-Étienne & more'),
});

const states: fc.Arbitrary<ExploreState> = fc
  .record({
    place: fc.option(place),
    words: fc.constantFrom('', 'vélo mars', '50% & more'),
    verticales: fc.subarray([...VERTICALES]),
    languages: fc.subarray([...LANGUAGES]),
    countries: fc.subarray(['France', 'United Kingdom', '__proto__']),
    isOpenNow: fc.boolean(),
    order: fc.option(fc.constantFrom(...ORDERS)),
    store: fc.option(fc.stringMatching(/^[0-9a-f]{24}$/)),
    view: fc.option(
      fc.record({ zoom: decimal(13, 0), latitude: decimal(85), longitude: decimal(180) }),
    ),
  })
  .map((state) => (state.place ? { ...state, words: '' } : state));

describe('the address of a state', () => {
  it('brings back all of it', () => {
    fc.assert(
      fc.property(states, (state) => {
        expect(readAddress(addressOf(state))).toEqual(state);
      }),
    );
  });

  it('is empty for the first one', () => {
    expect(addressOf(FIRST_STATE)).toBe('#');
    expect(readAddress('')).toEqual(FIRST_STATE);
  });

  it('reads like a query of the service', () => {
    const address = addressOf({
      ...FIRST_STATE,
      place: { latitude: 48.86, longitude: 2.35, radius: 25, name: 'Paris' },
      verticales: ['BIKE', 'CAR'],
      isOpenNow: true,
    });
    expect(address).toBe(
      '#position.latitude=48.86&position.longitude=2.35&position.radius=25&verticale.in=BIKE,CAR&openAt=now&place=Paris',
    );
  });

  it('leaves out whatever is not understood', () => {
    const nonsense = [
      'position.latitude=91&position.longitude=2&position.radius=3',
      'position.latitude=48',
      'verticale.in=SPACESHIP&language.in=xx&order=weight&openAt=yesterday',
      'store=../etc&map=1,2',
      'token=sk_test_0123456789abcdefghijkl&%ff',
    ];
    for (const text of nonsense) expect(readAddress(text), text).toEqual(FIRST_STATE);
  });

  it('keeps a radius within what the service takes', () => {
    const address = 'position.latitude=1&position.longitude=2&position.radius=900';
    expect(readAddress(address).place?.radius).toBe(50);
  });
});
