/** Time zone and opening schedule of a store (StoreTemporal). */
import { z } from 'zod';
import { OPENING_DAYS } from './enumerations.ts';
import { timestampSchema } from './timestamp.ts';

const timeOfDaySchema = z
  .string()
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'expected HH:mm, 24-hour')
  .describe('HH:mm, 24-hour.');

const openingHoursSchema = z
  .strictObject({
    id: z.string().describe('Identifier of the row.'),
    day: z.enum(OPENING_DAYS).describe('0 = Sunday … 6 = Saturday, * = every day.'),
    from: timeOfDaySchema,
    to: timeOfDaySchema,
    open: z.boolean().describe('Open at these times, or closed.'),
  })
  .meta({ id: 'OpeningHours' });

const dateRangeSchema = z
  .strictObject({
    id: z.string().describe('Identifier of the range.'),
    from: timestampSchema.describe('Inclusive.'),
    to: timestampSchema.describe('Inclusive.'),
  })
  .meta({ id: 'DateRange' });

export const storeTemporalSchema = z
  .strictObject({
    timezone: z.string().min(1).describe('IANA time zone name.'),
    schedule: z.strictObject({
      openingHours: z.array(openingHoursSchema).describe('Outside of the low season.'),
      openingHoursLowSeason: z.array(openingHoursSchema).describe('In the low season.'),
      lowSeasonRanges: z.array(dateRangeSchema).describe('When it is low season.'),
      closedRanges: z.array(dateRangeSchema).describe('When the store is closed.'),
    }),
  })
  .meta({ id: 'StoreTemporal' });
