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
  id: z.string(),
  minutes: z
    .number()
    .min(0)
    .max(60 * MOST_HOURS),
  hours: hoursSchema,
  label: z.string(),
});

export const storeBookingSchema = z
  .strictObject({
    bookingType: z
      .strictObject({ lcd: z.boolean(), lld: z.boolean(), event: z.boolean() })
      .describe('Short-term rentals, long-term rentals, events.'),
    instantBooking: z
      .strictObject({ lcd: z.boolean(), lld: z.boolean() })
      .describe('Automatic online booking for short-term and long-term rentals.'),
    fixedDurations: z.strictObject({
      enabled: z.boolean(),
      durations: z.array(fixedDurationSchema),
    }),
    rules: z.strictObject({
      timeAnchors: z.strictObject({
        startTimes: z.array(timeAnchorSchema),
        endTimes: z.array(timeAnchorSchema),
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
