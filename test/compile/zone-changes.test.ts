/** The offsets of time zones that a snapshot holds. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { clockOf } from '../../client/src/zone-clock.ts';
import { zoneChanges } from '../../scripts/compile/index-parts.ts';
import { instantOf } from '../../src/hours/clock.ts';
import { packSchedule } from '../../src/hours/opening-rule.ts';
import {
  HORIZON,
  HOURS_FROM,
  HOURS_PART,
  HOURS_UNTIL,
  writeHours,
} from '../../src/snapshot/hours-table.ts';

const SCHEDULE = packSchedule({
  openingHours: [],
  openingHoursLowSeason: [],
  lowSeasonRanges: [],
  closedRanges: [],
});

it('clocks of stores go as those of the runtime, in any zone and year that openAt and at take', () => {
  const zone = fc.constantFrom(...Intl.supportedValuesOf('timeZone'));
  const instants = fc.array(fc.integer({ min: HOURS_FROM, max: HOURS_UNTIL + HORIZON }));
  const check = (name: string, all: readonly number[]) => {
    const part = writeHours([{ ...SCHEDULE, zone: 0 }], [zoneChanges(name)]);
    const clock = HOURS_PART.read(part.buffer, 1).clockIn(0);
    for (const instant of all) {
      expect(clock.spanAt(instant).offset).toBe(clockOf(name).spanAt(instant).offset);
      expect(instantOf(clock, instant)).toBe(instantOf(clockOf(name), instant));
    }
  };
  fc.assert(fc.property(zone, instants, check), { numRuns: 30 });
  // Twice back and forth within a month or less: the short winter of Ramadan, and the year 2000 in Brazil.
  for (const name of ['Africa/Casablanca', 'America/Recife']) {
    check(
      name,
      Array.from({ length: 4000 }, (_, hour) => Date.parse('2000-08-01T00:30Z') + hour * 3_600_000),
    );
  }
});
