/**
 * `at`: whether each store is open at an instant, and until when. Lists and single stores show it; it
 * neither filters nor orders.
 */
import type { LoadedRelease } from '../load/loaded-release.ts';
import type { StoreOpening } from '../model/store.ts';
import { HOURS_PART } from '../snapshot/hours-table.ts';
import { INSTANT, showInstant } from './instant.ts';

/** Names that other services use for what `openAt` and `at` do. */
export const OPEN_NAMES = ['open', 'opennow', 'open_now', 'isopen', 'is_open'];

export const AT = INSTANT.optional().meta({
  description:
    'Tells of each store in `opening` whether it is open at this instant, and when that changes next. An instant is written as for `openAt`, or is `now`, the start of the current minute. It changes neither which stores match nor their order. The link to the next page has it in UTC instead of what was sent. The guide "Opening hours" has the rules.',
  example: '2026-07-01T18:30:00Z',
  usualNames: [...OPEN_NAMES, 'opening', 'openings', 'hours', 'openinghours', 'opening_hours'],
  usage: 'at tells of each store whether it is open at an instant, or now, and until when.',
});

/** Builds a function that returns `opening` of the store with an ordinal. Load HOURS_PART before. */
export function openingsAt(
  release: LoadedRelease,
  instant: number,
): (store: number) => StoreOpening {
  const at = showInstant(instant);
  const openings = release.table(HOURS_PART).openingsAt(instant);
  return (store) => {
    const { isOpen, nextChange } = openings(store);
    return { at, isOpen, nextChange: nextChange === null ? null : showInstant(nextChange) };
  };
}
