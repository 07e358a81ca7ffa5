/**
 * The time of the last publication that ran to its end, also of one that found nothing to change:
 * a schedule that has stopped cannot say so itself, so somebody who looks at this time has to.
 */
import { z } from 'zod';
import { timestampSchema } from '../model/timestamp.ts';

export const lastRunSchema = z.object({
  ranAt: timestampSchema,
  /** What was live when it ended. */
  release: z.string(),
});

export type LastRun = z.infer<typeof lastRunSchema>;
