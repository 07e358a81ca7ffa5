/** The end of a token's life, as given on the command line. */
import { z } from 'zod';
import { timestampSchema } from '../../src/model/timestamp.ts';

/** A date (its first instant in UTC) or a date-time with `Z` or an offset. */
const expirySchema = z.union([z.iso.date(), timestampSchema]);

/**
 * Reads `text` as a future instant.
 * @param now milliseconds since 1970
 * @returns the instant, ISO 8601 in UTC
 * @throws RangeError in words for the command line
 */
export function parseExpiry(text: string, now: number): string {
  if (!expirySchema.safeParse(text).success) {
    throw new RangeError(
      `got "${text}", expected a date (2027-01-31) or a date-time with a zone (2027-01-31T12:00:00Z)`,
    );
  }
  const instant = new Date(text);
  if (instant.getTime() <= now) throw new RangeError(`"${text}" has passed`);
  return instant.toISOString();
}
