/** A few small stores that leave no part of a release and no region of a record empty. */
import type { SourceStore } from '../../../scripts/compile/source-store.ts';
import { buildLocation, buildStore, storeId } from '../../support/stores/store-builder.ts';

const { geo } = buildStore(2);

export const DAMAGED_STORES: readonly SourceStore[] = [
  buildStore(1, { id: storeId(1).toUpperCase() }),
  buildStore(2, {
    geo: { ...geo, rentalPoints: [buildLocation('point', 48.5, 7.5)] },
    localization: { default: 'en', available: ['en', 'de'] },
  }),
];
