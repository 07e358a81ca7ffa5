/** Date-times of the contract: ISO 8601 with `Z` or an offset, kept as the text they came in. */
import * as z from 'zod';

export const timestampSchema = z.iso
  .datetime({ offset: true })
  .meta({ id: 'Timestamp', description: 'ISO 8601 date-time with `Z` or an offset.' });
