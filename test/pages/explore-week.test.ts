/** The hours of the coming week, as `/explore` tells them of a store. */
import { expect, it } from 'vitest';
import { comingWeek } from '../../web/explore/browser/week.ts';

const TEMPORAL = {
  timezone: 'Europe/Paris',
  schedule: {
    openingHours: [
      { id: 'h1', day: '*', from: '09:00', to: '18:00', open: true },
      { id: 'h2', day: '5', from: '20:00', to: '22:00', open: true },
      { id: 'h3', day: '0', from: '00:00', to: '00:00', open: false },
    ],
    openingHoursLowSeason: [],
    lowSeasonRanges: [],
    closedRanges: [{ id: 'r1', from: '2026-05-23T10:00:00Z', to: '2026-05-24T10:00:00Z' }],
  },
};

const weekAt = (at: string, timezone = TEMPORAL.timezone) =>
  comingWeek({ ...structuredClone(TEMPORAL), timezone } as never, new Date(at));

it('begins with the day of the store, and tells what closures touch', () => {
  expect(weekAt('2026-05-20T22:00:00Z')?.slice(0, 4)).toEqual([
    { name: 'Thursday', times: '09:00–18:00' },
    { name: 'Friday', times: '09:00–18:00, 20:00–22:00' },
    { name: 'Saturday', times: '09:00–18:00, closed in part or whole' },
    { name: 'Sunday', times: 'Closed' },
  ]);
  expect(weekAt('2026-05-20T21:59:59Z')?.[0]?.name).toBe('Wednesday');
});

it('is not told where the zone is unknown', () => {
  expect(weekAt('2026-05-20T12:00:00Z', 'Nowhere/Atlantis')).toBeNull();
});
