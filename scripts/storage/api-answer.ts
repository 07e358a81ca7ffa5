/** What Cloudflare's API answers: the JSON it wraps its results in, and its errors in its own words. */
import { z } from 'zod';
import { CommandError } from '../cli/command-error.ts';

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

/** Codes by which the API says that a key is not there, whatever the status. */
const KEY_MISSING = new Set([10007 /* R2 */, 10009 /* KV */]);

/** A day of the free plan has no more writes to KV: nothing is written again before 0:00 UTC. */
const WRITES_USED_UP = 10048;

/** The code of the error that says so. */
export const API_WRITES_USED_UP = 'api_writes_used_up';

const DAY_LIMIT =
  'The free plan of Workers KV takes 1,000 writes a day. It takes them again from 0:00 UTC on,\n' +
  'and at once on a paid plan.';

const PERMISSIONS =
  'CLOUDFLARE_API_TOKEN must be valid for CLOUDFLARE_ACCOUNT_ID, with the permissions\n' +
  '"Workers KV Storage: Edit" and, for snapshots, "Workers R2 Storage: Edit".';

const ACCOUNT =
  'CLOUDFLARE_ACCOUNT_ID must be the account that has what wrangler.toml names: the ids of its\n' +
  'KV namespaces, and its bucket. "npx wrangler whoami" shows the account.';

/** A fault as the API puts it. */
export interface ApiFault {
  readonly code?: number | undefined;
  readonly message: string;
}

interface ApiErrorOptions {
  /** Null when there was no answer. */
  readonly status: number | null;
  readonly faults?: readonly ApiFault[];
  /** Whether the same request may succeed later. */
  readonly passing: boolean;
  /** Milliseconds that the API asked to wait; null when it did not. */
  readonly retryAfter?: number | null;
  /** Whether it consented, in words that nobody here knows: a write may have been done. */
  readonly isUnexpected?: boolean;
  readonly cause?: unknown;
}

export class CloudflareApiError extends CommandError {
  readonly status: number | null;
  readonly passing: boolean;
  readonly retryAfter: number | null;
  private readonly faults: readonly ApiFault[];

  /** @param message without secrets */
  constructor(message: string, options: ApiErrorOptions) {
    const { status, faults = [], isUnexpected = false } = options;
    super(message, {
      code: isUnexpected ? 'api_unexpected' : codeOf(status, faults),
      details: { status, faults },
      ...explain(status, faults),
      cause: options.cause,
    });
    this.status = status;
    this.faults = faults;
    this.passing = options.passing;
    this.retryAfter = options.retryAfter ?? null;
  }

  /** Whether the API says that the key is not there; a missing namespace or bucket is none of it. */
  get isMissingKey(): boolean {
    if (this.faults.some(({ code }) => code !== undefined && KEY_MISSING.has(code))) return true;
    return this.status === 404 && this.faults.length === 0;
  }
}

/** What a request gives, or null when the API says that its key is not there. */
export async function unlessMissing<T>(request: Promise<T>): Promise<T | null> {
  try {
    return await request;
  } catch (error) {
    if (error instanceof CloudflareApiError && error.isMissingKey) return null;
    throw error;
  }
}

/** Faults as text: `message [code: 10000], …`. */
export function describeFaults(faults: readonly ApiFault[]): string {
  return faults
    .map(({ code, message }) => (code === undefined ? message : `${message} [code: ${code}]`))
    .join(', ');
}

/** What whoever ran the command may have set wrongly. */
function explain(status: number | null, faults: readonly ApiFault[]): { explanation?: string } {
  if (isUsedUp(faults)) return { explanation: DAY_LIMIT };
  if (status === 401 || status === 403) return { explanation: PERMISSIONS };
  const lacksKey = faults.some(({ code }) => code !== undefined && KEY_MISSING.has(code));
  return status === 404 && faults.length > 0 && !lacksKey ? { explanation: ACCOUNT } : {};
}

/** Whether a limit of the day was met, which no repetition helps against. */
export function isUsedUp(faults: readonly ApiFault[]): boolean {
  return faults.some(({ code }) => code === WRITES_USED_UP);
}

function codeOf(status: number | null, faults: readonly ApiFault[]): string {
  if (status === null) return 'api_unreachable';
  if (isUsedUp(faults)) return API_WRITES_USED_UP;
  if (status === 429) return 'api_rate_limited';
  return status >= 500 ? 'api_failed' : 'api_refused';
}

/** The code of a network error where it has one (ECONNRESET), else its words. */
export function describeCause(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError') return 'timed out';
  const { cause } = error;
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  return typeof code === 'string' ? code : error.message;
}
