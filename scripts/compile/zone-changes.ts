/** When clocks in a time zone are put forward or back. */
import { clockOf } from '../../client/src/zone-clock.ts';
import { DAY } from '../../src/hours/clock.ts';
import { HORIZON, HOURS_FROM, HOURS_UNTIL } from '../../src/snapshot/hours-table.ts';

/** The rule of opening hours looks at the dates beside the date of an instant, too. */
const MARGIN = 4 * DAY;
const LAST = HOURS_UNTIL + HORIZON + MARGIN;

/** No zone keeps an offset for less than a week from 2000 on, so a step has one change at most. */
const STEP = 6 * DAY;

const known = new Map<string, readonly number[]>();

/**
 * Returns the changes of a zone in the years that openAt and at take: instants and the offsets that begin then, in
 * turn, after the offset at the beginning. They come from the time zones of the runtime.
 */
export function zoneChanges(timezone: string): readonly number[] {
  const changes = known.get(timezone) ?? findChanges(timezone);
  known.set(timezone, changes);
  return changes;
}

function findChanges(timezone: string): readonly number[] {
  const clock = clockOf(timezone);
  const first = HOURS_FROM - MARGIN;
  let last = clock.offsetAt(first);
  const changes = [first, last];
  for (let start = first; start < LAST; start += STEP) {
    const offset = clock.offsetAt(start + STEP);
    if (offset !== last) changes.push(clock.changeBetween(start, start + STEP), offset);
    last = offset;
  }
  return changes;
}
