/** What handlers answer with. Tools make and send it too, so nothing of Hono is in it. */

/** An answer, without the headers that `Exchange.finish` adds to every answer. */
export interface Reply {
  readonly status: number;
  /** Null for an answer without a body, such as a 304. */
  readonly body: string | Uint8Array<ArrayBuffer> | ReadableStream | null;
  /** What the headers start from. It must include `SECURED`, which is taken where it is left out. */
  readonly base?: Headers;
  /** Set over `base`. */
  readonly headers: Readonly<Record<string, string>>;
  /** Code of the problem, where the answer is one. */
  readonly problem?: string;
}
