/** The hours of a week, as `/explore` tells them of a store. */
import { expect, it } from 'vitest';
import { weekOf } from '../../web/explore/browser/week.ts';

/** A low season that begins on a Wednesday at half past ten, by the clock of the store. */
const TEMPORAL = {
  timezone: 'Europe/Paris',
  schedule: {
    openingHours: [{ id: 'h1', day: '*', from: '09:00', to: '18:00', open: true }],
    openingHoursLowSeason: [{ id: 'l1', day: '*', from: '10:00', to: '16:00', open: true }],
    lowSeasonRanges: [
      { id: 'r1', from: '2026-05-20T08:30:00.000Z', to: '2026-05-23T08:00:00.000Z' },
    ],
    closedRanges: [],
  },
} as const;

const weekAt = (at: string, timezone: string = TEMPORAL.timezone) =>
  weekOf({ ...structuredClone(TEMPORAL), timezone } as never, new Date(at));

it('goes by the season of the noon of the date in the store', () => {
  // Before the first instant of the season, on its first date; and after its last noon.
  expect(weekAt('2026-05-20T06:00:00Z').isLowSeason).toBe(true);
  expect(weekAt('2026-05-22T23:00:00Z').isLowSeason).toBe(false);
  expect(weekAt('2026-05-22T20:00:00Z').days[0]?.times).toBe('10:00–16:00');
});

it('marks the day of the store, none where its zone is unknown', () => {
  const todayOf = ({ days }: ReturnType<typeof weekAt>) =>
    days.filter(({ isToday }) => isToday).map(({ name }) => name);
  expect(todayOf(weekAt('2026-05-20T21:59:59Z'))).toEqual(['Wednesday']);
  expect(todayOf(weekAt('2026-05-20T22:00:00Z'))).toEqual(['Thursday']);
  expect(todayOf(weekAt('2026-05-20T12:00:00Z', 'Nowhere/Atlantis'))).toEqual([]);
});

it('shows the rows of every day beside those of a weekday', () => {
  const friday = { id: 'h2', day: '5', from: '20:00', to: '22:00', open: true } as const;
  const openingHours = [friday, ...TEMPORAL.schedule.openingHours];
  const temporal = { ...TEMPORAL, schedule: { ...TEMPORAL.schedule, openingHours } };
  const { days } = weekOf(structuredClone(temporal) as never, new Date('2026-06-05T12:00:00Z'));
  const timesOf = (name: string) => days.find((day) => day.name === name)?.times;
  expect(timesOf('Friday')).toBe('09:00–18:00, 20:00–22:00');
  expect(timesOf('Thursday')).toBe('09:00–18:00');
});
