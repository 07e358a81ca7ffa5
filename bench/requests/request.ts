/** A request of the benchmark, and the requests that are measured together. */

/** Tokens of the benchmark by what they are for. */
export type TokenName = 'plain' | 'attributed' | 'unknown';

export interface BenchRequest {
  /** Path and query. */
  readonly path: string;
  /** Null: none is sent. */
  readonly token: TokenName | null;
  /** Sent with If-None-Match and the ETag of its answer, so that it is answered with a 304. */
  readonly conditional: boolean;
}

export type CaseName =
  | 'get'
  | 'list'
  | 'list-fields'
  | 'sorted-first'
  | 'sorted-deep'
  | 'near-city'
  | 'near-country'
  | 'near-wide'
  | 'languages'
  | 'not-modified'
  | 'unauthorized'
  | 'attributed';

export interface BenchCase {
  readonly name: CaseName;
  /** As the tables have it. */
  readonly title: string;
  /** Asked one after another, over and over. */
  readonly requests: readonly BenchRequest[];
}
