/** Booking settings of a store (StoreBookingSettings). */
import { z } from 'zod';

/** Ten years: longer than anybody rents, or plans to. */
const MOST_HOURS = 87_600;

const hoursSchema = z.number().min(0).max(MOST_HOURS);

const timeAnchorSchema = z.strictObject({
  hours: z.int().min(0).max(23),
  minutes: z.int().min(0).max(59),
});

export const fixedDurationSchema = z.strictObject({
  id: z.string().describe('Identifier of the duration.'),
  minutes: z
    .number()
    .min(0)
    .max(60 * MOST_HOURS)
    .describe('Minutes of it.'),
  hours: hoursSchema.describe('Hours of it.'),
  label: z.string(),
});

export const storeBookingSchema = z
  .strictObject({
    bookingType: z.strictObject({
      lcd: z.boolean().describe('Short-term rentals.'),
      lld: z.boolean().describe('Long-term rentals.'),
      event: z.boolean().describe('Events.'),
    }),
    instantBooking: z.strictObject({
      lcd: z.boolean().describe('Automatic online booking of short-term rentals.'),
      lld: z.boolean().describe('Automatic online booking of long-term rentals.'),
    }),
    fixedDurations: z.strictObject({
      enabled: z.boolean().describe('Only certain durations can be booked.'),
      durations: z.array(fixedDurationSchema).describe('The durations that can be booked.'),
    }),
    rules: z.strictObject({
      timeAnchors: z.strictObject({
        startTimes: z.array(timeAnchorSchema).describe('When a booking may start.'),
        endTimes: z.array(timeAnchorSchema).describe('When a booking may end.'),
      }),
      leadTime: z.strictObject({
        minHours: hoursSchema.describe('Minimum hours before a booking can be made.'),
      }),
      duration: z.strictObject({
        minHours: hoursSchema.nullable().describe('Null: no minimum.'),
        maxHours: hoursSchema.nullable().describe('Null: no maximum.'),
      }),
    }),
  })
  .meta({ id: 'StoreBookingSettings' });
