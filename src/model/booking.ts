/** Booking settings of a store (StoreBookingSettings). */
import * as z from 'zod';

/** Ten years: longer than any rental, or any plan for one. */
const MAX_HOURS = 87_600;

/** A number of hours in the settings of a store. */
export const hoursSchema = z.number().min(0).max(MAX_HOURS);

const timeAnchorSchema = z.strictObject({
  hours: z.int().min(0).max(23).describe('Hour of the day, 0 to 23, on a clock in the store.'),
  minutes: z.int().min(0).max(59).describe('Minute of the hour, 0 to 59.'),
});

const fixedDurationSchema = z.strictObject({
  id: z.string().describe('Identifier of the duration.'),
  minutes: z
    .number()
    .min(0)
    .max(60 * MAX_HOURS)
    .describe(
      'Length in minutes. The rental application does not say whether `hours` and `minutes` are to be added or mean the same, so show `label`.',
    ),
  hours: hoursSchema.describe('Length in hours; see `minutes`.'),
  label: z.string().describe('The duration as customers read it, in the language of the answer.'),
});

const bookingTypeSchema = z.strictObject({
  lcd: z
    .boolean()
    .describe('Whether the store takes short-term rentals (in French: location courte durée).'),
  lld: z
    .boolean()
    .describe('Whether the store takes long-term rentals (in French: location longue durée).'),
  event: z.boolean().describe('Whether the store takes bookings for events.'),
});

const instantBookingSchema = z.strictObject({
  lcd: z.boolean().describe('Whether short-term rentals are booked online automatically.'),
  lld: z.boolean().describe('Whether long-term rentals are booked online automatically.'),
});

const timesToSchema = (what: string) =>
  z
    .array(timeAnchorSchema)
    .describe(
      `Times of day at which a booking may ${what}. The meaning of an empty list is not defined.`,
    );

const timeAnchorsSchema = z.strictObject({
  startTimes: timesToSchema('start'),
  endTimes: timesToSchema('end'),
});

export const storeBookingSchema = z
  .strictObject({
    bookingType: bookingTypeSchema.describe('Kinds of bookings that the store takes.'),
    instantBooking: instantBookingSchema.describe(
      'Kinds of rentals that are booked online automatically.',
    ),
    fixedDurations: z
      .strictObject({
        enabled: z.boolean().describe('Whether customers choose among fixed durations.'),
        durations: z
          .array(fixedDurationSchema)
          .describe('Durations that customers can choose. Empty when there are none.'),
      })
      .describe('Fixed durations of bookings.'),
    rules: z
      .strictObject({
        timeAnchors: timeAnchorsSchema.describe('When a booking may start and end.'),
        leadTime: z
          .strictObject({
            minHours: hoursSchema.describe(
              'Least number of hours between making a booking and its start. 0: no minimum.',
            ),
          })
          .describe('How early a booking has to be made.'),
        duration: z
          .strictObject({
            minHours: hoursSchema
              .nullable()
              .describe('Least number of hours of a booking. Null: no minimum.'),
            maxHours: hoursSchema
              .nullable()
              .describe('Greatest number of hours of a booking. Null: no maximum.'),
          })
          .describe('How long a booking may be.'),
      })
      .describe('Rules for the time of a booking.'),
  })
  .meta({ id: 'StoreBookingSettings', description: 'What can be booked, and how.' });
