/**
 * Filters on settings. Booleans are what the example of an answer has outside arrays, enumerations stand here
 * as the contract has them: the schema, which the service reads them off, is under test.
 */
import fc from 'fast-check';
import example from '../../../web/openapi/example-store.json' with { type: 'json' };
import { valueAt } from '../oracle/order.ts';
import { type Asked, FOUND, type Samples } from './condition-case.ts';

const CURRENCY = 'pricing.currency.isoCode';

/** Of currencies, some of the legal words. */
const WORDS: Readonly<Record<string, readonly string[]>> = {
  'localization.default': ['fr', 'en', 'nl', 'de', 'it', 'pt', 'es', 'pl'],
  'modules.delivery.freeDelivery.type': ['MINUTES', 'SUBTOTAL'],
  'modules.insurance.details.status': [
    ...['off', 'on_inclusion_hidden', 'on_inclusion', 'on_option', 'with_assurance'],
  ],
  'modules.multipleLocations.dropoffRule': ['SAME', 'DIFFERENT'],
  [CURRENCY]: ['EUR', 'PLN', 'CHF', 'USD', 'ZMW', 'AED'],
  'pricing.tax.type': ['INCLUSIVE', 'EXCLUSIVE'],
};

const BOOLEANS = booleansOf(example, '');

function booleansOf(value: unknown, path: string): string[] {
  if (typeof value === 'boolean') return [path];
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  return Object.entries(value).flatMap(([key, below]) =>
    booleansOf(below, path === '' ? key : `${path}.${key}`),
  );
}

/** What a store may have, by the path of the setting. */
type Sought = Readonly<Record<string, string | readonly string[]>>;

const SOUGHT: readonly fc.Arbitrary<Sought>[] = [
  ...BOOLEANS.map((path) => fc.constantFrom('true', 'false').map((word) => ({ [path]: word }))),
  ...Object.entries(WORDS).map(([path, words]) =>
    fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 4 }).map((some) => {
      return { [path]: some };
    }),
  ),
];

export const SETTINGS_ASKED = {
  settings: {
    draw: () =>
      fc
        .array(fc.oneof(...SOUGHT), { minLength: 1, maxLength: 3 })
        .map((several): Sought => Object.assign({}, ...several)),
    write: (sought) => sought,
    keep: (sought) => (store) =>
      Object.entries(sought).every(([path, words]) =>
        [words].flat().includes(String(valueAt(store, path))),
      )
        ? FOUND
        : null,
  } satisfies Asked<Sought>,
};

const CARD = 'modules.onlinePayment.methods.card';
const STATUS = 'modules.insurance.details.status';

export const SETTINGS_SAMPLES: Samples = {
  same: [
    [`${CURRENCY}=USD,EUR`, `${CURRENCY}[]=EUR&${CURRENCY}= USD,EUR`],
    [`${STATUS}=off,on_option&${CARD}=true`, `${CARD}=true&${STATUS}=on_option&${STATUS}=off`],
  ],
  read: [
    [`${CARD}=false`, `${CARD}=false`],
    [`${STATUS}=with_assurance,off,off`, `${STATUS}=off,with_assurance`],
    // A code that no store has is no fault.
    [`${CURRENCY}=ZWG`, `${CURRENCY}=ZWG`],
  ],
  refused: [
    ...['True', '1', 'yes', ' true', 'true,false', 'null'].map((text) => [
      `${CARD}=${text}`,
      `unknown_value ${CARD}`,
    ]),
    [`${STATUS}=off,OFF`, `unknown_value ${STATUS}`],
    [`${CURRENCY}=XXX,EUR`, `unknown_value ${CURRENCY}`],
    // What is derived, what only exports have, what can't differ, and what lies in arrays.
    ...[
      ...['localization.current=fr', 'currency.isoName=EUR', 'opening.isOpen=true'],
      ...['geo.displayAddress=true', 'modules.insurance.provider=PROVIDER_B'],
      ...['temporal.schedule.openingHours.open=true', 'localization.available=fr'],
    ].map((query) => [query, `unknown_parameter ${query.split('=')[0]}`]),
  ],
  explained: [
    [
      `${CARD}=TRUE`,
      `unknown_value ${CARD}`,
      'Expected true or false, got "TRUE". Did you mean "true"?',
    ],
    [
      `${CURRENCY}=eur`,
      `unknown_value ${CURRENCY}`,
      'Expected the code of a currency that ISO 4217 lists as active, such as EUR, got "eur". Did you mean "EUR"?',
    ],
  ],
  tried: [
    ['instantBooking.lcd', 'Did you mean "booking.instantBooking.lcd"?'],
    ['deliveryOnly', 'Did you mean "modules.delivery.deliveryOnly"?'],
    ['currency', `Did you mean "${CURRENCY}"?`],
    ['payment', 'Did you mean "modules.onlinePayment.enabled"?'],
    ['insurance', 'Did you mean "modules.insurance.enabled"?'],
    ['instant', 'Did you mean "booking.instantBooking.lcd" or "booking.instantBooking.lld"?'],
    ['modules.delivery.enalbed', 'Did you mean "modules.delivery.enabled"?'],
    // The end of a path comes before what other services mean.
    ['type', 'Did you mean "modules.delivery.freeDelivery.type" or "verticale.in"?'],
  ],
};
