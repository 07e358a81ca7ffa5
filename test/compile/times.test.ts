/**
 * Times, time zones and currencies that stores may have: as exports write them, as stores are answered with them, and
 * the offsets of zones that a snapshot holds.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clockOf } from '../../client/src/zone-clock.ts';
import { zoneChanges } from '../../scripts/compile/index-parts.ts';
import { sourceStoreSchema, TIME_ZONES } from '../../scripts/compile/source-store.ts';
import { instantOf } from '../../src/hours/clock.ts';
import { packSchedule } from '../../src/hours/opening-rule.ts';
import {
  HORIZON,
  HOURS_FROM,
  HOURS_PART,
  HOURS_UNTIL,
  writeHours,
} from '../../src/snapshot/hours-table.ts';
import { buildStore } from '../support/stores/store-builder.ts';

it.each([
  ['2021-04-12T08:30:00Z', '2021-04-12T08:30:00Z'],
  ['2021-04-12T08:30:00.123456+05:45', '2021-04-12T08:30:00.123456+05:45'],
  ['2021-04-12T08:30Z', '2021-04-12T08:30:00Z'],
  ['2021-04-12T08Z', '2021-04-12T08:00:00Z'],
  ['2021-04-12T08:30:00+0200', '2021-04-12T08:30:00+02:00'],
  ['2021-04-12T08:30:00.5-03', '2021-04-12T08:30:00.5-03:00'],
  ['2021-04-12T08:30\u221205:00', '2021-04-12T08:30:00-05:00'],
  ['2021-04-12T08:30:00,25Z', '2021-04-12T08:30:00.25Z'],
  ['20210412T083000Z', '2021-04-12T08:30:00Z'],
  ['20210412T0830+02', '2021-04-12T08:30:00+02:00'],
])('%s is read, and answered in full', (written, answered) => {
  const store = buildStore(1, { 'metadata.timestamps.createdAt': written });
  expect(sourceStoreSchema.parse(store).metadata.timestamps.createdAt).toBe(answered);
});

const isGood = (path: string, value: string) =>
  sourceStoreSchema.safeParse(buildStore(1, { [path]: value })).success;

describe('a time zone', () => {
  it('is a name of the IANA database, those of links included', () => {
    for (const zone of [
      ...['Europe/Paris', 'US/Eastern', 'Asia/Calcutta', 'Asia/Kolkata', 'Europe/Kiev', 'GB-Eire'],
      ...['UTC', 'Etc/GMT+5', 'GMT+0', 'EST5EDT', 'CET', 'America/Argentina/ComodRivadavia'],
    ]) {
      expect(isGood('temporal.timezone', zone), zone).toBe(true);
    }
  });

  it('is known to the runtime that looks up its offsets, whatever its name', () => {
    for (const timeZone of TIME_ZONES) new Intl.DateTimeFormat('en', { timeZone });
    for (const zone of Intl.supportedValuesOf('timeZone')) expect(TIME_ZONES).toContain(zone);
  });
});

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

it('a currency is one that ISO 4217 lists as active', () => {
  const codes = ['EUR', 'VED', 'VES', 'SLE', 'XCG', 'ZWG', 'CUP', 'CHE', 'MXV', 'XAU', 'XAD'];
  for (const code of codes) expect(isGood('pricing.currency.isoCode', code), code).toBe(true);
});
