/** The JSON that Cloudflare's API wraps its answers in. */
import { z } from 'zod';
import type { ApiFault } from './api-error.ts';

const faultSchema = z.object({ code: z.number().optional(), message: z.string() });

const envelopeSchema = z.object({
  success: z.boolean(),
  errors: z.array(faultSchema).nullish(),
  result: z.unknown().optional(),
  result_info: z
    .object({ cursor: z.string().nullish(), is_truncated: z.boolean().optional() })
    .nullish(),
});

export interface Envelope {
  readonly success: boolean;
  readonly faults: readonly ApiFault[];
  readonly result: unknown;
  /** Where the next page begins; null after the last. */
  readonly cursor: string | null;
}

/** Reads an answer; null when it is no envelope, such as the page of a proxy in between. */
export function readEnvelope(bytes: Uint8Array): Envelope | null {
  const envelope = envelopeSchema.safeParse(parseJson(bytes));
  if (!envelope.success) return null;
  const { success, errors, result, result_info } = envelope.data;
  const isLast = result_info?.is_truncated === false;
  const cursor = isLast ? null : result_info?.cursor || null;
  return { success, faults: errors ?? [], result, cursor };
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
}
