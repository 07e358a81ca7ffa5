/** Date-times of the contract: ISO 8601 with `Z` or an offset. */
import * as z from 'zod';

/**
 * A date-time as ISO 8601 also writes it: to the minute or the hour, with `+0200` or `+02`, a comma before
 * fractions, a sign for minus, or without signs between the digits. Whether the day exists is another question.
 */
export const DATE_TIME =
  /^(\d{4})-?(0[1-9]|1[0-2])-?(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3])(?::?([0-5]\d)(?::?([0-5]\d)(?:[.,](\d+))?)?)?(?:Z|([+\-\u2212](?:[01]\d|2[0-3]))(?::?([0-5]\d))?)$/;

/** Kept as the text it came in, but in the one form that all readers know: `2026-11-01T08:30:00+01:00`. */
export const timestampSchema = z
  .string()
  .overwrite((text) => text.replace(DATE_TIME, inFull))
  .check(z.iso.datetime({ offset: true }))
  .meta({ id: 'Timestamp', description: 'ISO 8601 date-time with `Z` or an offset.' });

function inFull(_: string, ...parts: (string | undefined)[]): string {
  const [year, month, day, hour, minute = '00', second = '00', fraction, offset, more = '00'] =
    parts;
  const time = `${hour}:${minute}:${second}${fraction === undefined ? '' : `.${fraction}`}`;
  const zone = offset === undefined ? 'Z' : `${offset.replace('\u2212', '-')}:${more}`;
  return `${year}-${month}-${day}T${time}${zone}`;
}
