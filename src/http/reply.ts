/** What handlers answer with: plain values, so that tools can read it too. */

/** An answer, without the headers that `Exchange.finish` adds to every answer. */
export interface Reply {
  readonly status: number;
  /** Null for an answer without a body, such as a 304; a stream brings its length in its headers. */
  readonly body: string | Uint8Array<ArrayBuffer> | ReadableStream | null;
  readonly headers: Readonly<Record<string, string>>;
  /** Headers that many answers share, the security headers among them; left out: those alone. */
  readonly shared?: Headers;
  /** Code of the problem, where the answer is one. */
  readonly problem?: string;
}
