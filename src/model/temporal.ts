/** Time zone and opening schedule of a store (StoreTemporal). */
import * as z from 'zod';
import { timestampSchema } from './timestamp.ts';
import { openingDaySchema } from './word-schemas.ts';

const timeOfDaySchema = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, {
  error: ({ input }) =>
    /^24:?00/.test(String(input))
      ? 'expected 23:59 for the end of a day, 00:00 for its beginning'
      : 'expected HH:mm from 00:00 to 23:59, such as 09:30',
});

const openingHoursSchema = z
  .strictObject({
    id: z.string().describe('Identifier of the row.'),
    day: openingDaySchema,
    from: timeOfDaySchema.describe('Start, HH:mm (24-hour) on a clock in the store.'),
    to: timeOfDaySchema.describe(
      'End, HH:mm (24-hour) on a clock in the store. `23:59` means the end of the day. A time that is not after `from` belongs to the next day: `00:00` to `00:00` is a whole day.',
    ),
    open: z
      .boolean()
      .describe(
        'True: the store is open at these times. False: it is closed then, whatever other rows say.',
      ),
  })
  .meta({ id: 'OpeningHours', description: 'A row of opening hours.' });

const dateRangeSchema = z
  .strictObject({
    id: z.string().describe('Identifier of the range.'),
    from: timestampSchema.describe('First instant of the range, which belongs to it.'),
    to: timestampSchema.describe('Last instant of the range, which belongs to it.'),
  })
  .meta({
    id: 'DateRange',
    description: 'The period between two instants. It does not repeat each year.',
  });

export const storeTemporalSchema = z
  .strictObject({
    timezone: z
      .string()
      .min(1)
      .describe('IANA time zone name, such as Europe/Paris; opening hours are in this zone.'),
    schedule: z
      .strictObject({
        openingHours: z
          .array(openingHoursSchema)
          .describe(
            'Rows for dates outside of the low season. The rows of a date are those of its weekday and those of every day (`*`). On a date without rows the store does not open.',
          ),
        openingHoursLowSeason: z
          .array(openingHoursSchema)
          .describe('Rows for dates in the low season, in place of `openingHours`.'),
        lowSeasonRanges: z
          .array(dateRangeSchema)
          .describe(
            'When it is low season. A date belongs to it when noon of that date, by a clock in the store, lies in one of these ranges. Empty when there is none.',
          ),
        closedRanges: z
          .array(dateRangeSchema)
          .describe(
            'When the store is closed whatever its opening hours are. The last instant of a range counts with its whole second: one that ends at 23:59:59 leaves no gap before midnight. A range that ends before it begins closes nothing. Empty when there are none.',
          ),
      })
      .describe('When the store is open.'),
  })
  .meta({ id: 'StoreTemporal', description: 'Time zone and opening hours.' });
