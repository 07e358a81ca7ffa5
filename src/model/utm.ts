/** Attribution: the UTM parameters that a token adds to every page URL its holder receives. */
import * as z from 'zod';
import { MAX_UTM_LENGTH } from './token-limits.ts';

const utmValueSchema = z.string().min(1).max(MAX_UTM_LENGTH);

export const UTM_PARAMETERS = ['utm_source', 'utm_medium', 'utm_campaign'] as const;

export const utmSchema = z.strictObject({
  utm_source: utmValueSchema.optional(),
  utm_medium: utmValueSchema.optional(),
  utm_campaign: utmValueSchema.optional(),
});

export type Utm = z.infer<typeof utmSchema>;
