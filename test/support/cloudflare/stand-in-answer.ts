/** Answers in the shape of Cloudflare's API, and requests as its stand-in sees them. */

export interface StandInRequest {
  readonly method: string;
  /** Below the account, still encoded: `/storage/kv/…`. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: Buffer;
}

export interface StandInAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

export function ok(result: unknown, info?: object): StandInAnswer {
  return envelope(200, { success: true, errors: [], messages: [], result, result_info: info });
}

export function refuse(
  status: number,
  code: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): StandInAnswer {
  const errors = [{ code, message }];
  return { ...envelope(status, { success: false, errors, messages: [], result: null }), headers };
}

export function raw(body: Buffer): StandInAnswer {
  return { status: 200, headers: { 'content-type': 'application/octet-stream' }, body };
}

/** An answer with a time in it, milliseconds since 1970. */
export function dated({ headers, ...answer }: StandInAnswer, time: number): StandInAnswer {
  return { ...answer, headers: { ...headers, date: new Date(time).toUTCString() } };
}

/** Keys that are listed at once. */
export const PAGE_LENGTH = 1_000;

/** One page of `items`, and where the next one begins; cursors are opaque to their readers. */
export function pageOf<T>(items: readonly T[], cursor: string | null, length = PAGE_LENGTH) {
  const from = cursor ? Number(Buffer.from(cursor, 'base64').toString().replace('from ', '')) : 0;
  const end = from + length;
  const next = end < items.length ? Buffer.from(`from ${end}`).toString('base64') : '';
  return { page: items.slice(from, end), cursor: next };
}

function envelope(status: number, content: object): StandInAnswer {
  return { status, body: Buffer.from(JSON.stringify(content)) };
}
