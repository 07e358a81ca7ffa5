/** Booking settings of a store (StoreBookingSettings). */
import { z } from 'zod';

const timeAnchorSchema = z.strictObject({ hours: z.number(), minutes: z.number() });

export const fixedDurationSchema = z.strictObject({
  id: z.string(),
  minutes: z.number(),
  hours: z.number(),
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
        minHours: z.number().describe('Minimum hours before a booking can be made.'),
      }),
      duration: z.strictObject({
        minHours: z.number().nullable().describe('Null: no minimum.'),
        maxHours: z.number().nullable().describe('Null: no maximum.'),
      }),
    }),
  })
  .meta({ id: 'StoreBookingSettings' });
