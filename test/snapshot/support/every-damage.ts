/**
 * Small stores, and all there is to damage in a value: each byte of it, and each place at which it may be cut off. So
 * no region of any format can be forgotten.
 */
import type { SourceStore } from '../../../scripts/compile/source-store.ts';
import { buildLocation, buildStore, storeId } from '../../support/stores/store-builder.ts';

/** A few that leave no part of a release and no region of a record empty. */
export const DAMAGED_STORES: readonly SourceStore[] = [
  buildStore(1, { id: storeId(1).toUpperCase() }),
  buildStore(2, {
    'geo.rentalPoints': [buildLocation('point', 48.5, 7.5)],
    localization: { default: 'en', available: ['en', 'de'] },
  }),
];

export interface Damage {
  /** Where and how, for the message of a test that fails. */
  readonly what: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/**
 * A value with one bit flipped, once for each byte; another bit in each.
 * @param offsets of the bytes, if they are not all
 */
export function* flipsOf(
  value: Uint8Array,
  offsets: Iterable<number> = value.keys(),
): Generator<Damage> {
  for (const offset of offsets) {
    const bytes = value.slice();
    bytes[offset] = (bytes[offset] as number) ^ (1 << (offset % 8));
    yield { what: `byte ${offset} flipped`, bytes };
  }
}

/** A value cut off at each length it may have. */
export function* cutsOf(value: Uint8Array): Generator<Damage> {
  for (let length = 0; length < value.length; length++) {
    yield { what: `cut after ${length} bytes`, bytes: value.slice(0, length) };
  }
}

export function* damagesOf(value: Uint8Array): Generator<Damage> {
  yield* flipsOf(value);
  yield* cutsOf(value);
}
