/** All conditions of lists. */
import { BBOX_ASKED, BBOX_SAMPLES } from './bbox.ts';
import type { Asked, Samples } from './condition-case.ts';
import { DELIVERY_ASKED, DELIVERY_SAMPLES } from './delivery.ts';
import { IDS_ASKED, IDS_SAMPLES } from './ids.ts';
import { OPEN_AT_ASKED, OPEN_AT_SAMPLES } from './open-at.ts';
import { POSITION_ASKED, POSITION_SAMPLES } from './position.ts';
import { Q_ASKED, Q_SAMPLES } from './q.ts';
import { SETTINGS_ASKED, SETTINGS_SAMPLES } from './settings.ts';
import { FACETS_ASKED, FACETS_SAMPLES, TERMS_ASKED, TERMS_SAMPLES } from './terms.ts';
import { VERTICALE_ASKED, VERTICALE_SAMPLES } from './verticale.ts';

const TYPED = {
  ...IDS_ASKED,
  ...VERTICALE_ASKED,
  ...TERMS_ASKED,
  ...OPEN_AT_ASKED,
  ...BBOX_ASKED,
  ...POSITION_ASKED,
  ...DELIVERY_ASKED,
  ...Q_ASKED,
  ...SETTINGS_ASKED,
  ...FACETS_ASKED,
};

/** What a request asks for, by the names of `ASKED`. */
export type AskedValues = {
  readonly [Name in keyof typeof TYPED]?: (typeof TYPED)[Name] extends {
    write(value: infer Value): unknown;
  }
    ? Value | undefined
    : never;
};

/** How each is drawn, written and read. */
export const ASKED = TYPED as unknown as Readonly<Record<keyof AskedValues, Asked<unknown>>>;

export const SAMPLES: readonly Samples[] = [
  IDS_SAMPLES,
  VERTICALE_SAMPLES,
  TERMS_SAMPLES,
  OPEN_AT_SAMPLES,
  BBOX_SAMPLES,
  POSITION_SAMPLES,
  DELIVERY_SAMPLES,
  Q_SAMPLES,
  SETTINGS_SAMPLES,
  FACETS_SAMPLES,
];

/** Those that a request asks for, each with its value. */
export function askedOf(values: AskedValues) {
  return (Object.keys(ASKED) as (keyof AskedValues)[]).flatMap((name) => {
    const value: unknown = values[name];
    return value === undefined ? [] : [{ name, value, asked: ASKED[name] }];
  });
}
