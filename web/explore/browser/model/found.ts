/** What the service has answered, as the page keeps it. */
import type { Page } from '../../../../client/src/answers.ts';
import type { Call } from './client-code.ts';
import type { FoundStore } from './found-store.ts';

/** The numbers of the filters: how many stores each value would leave. */
export type Facets = NonNullable<Page<unknown>['facets']>;

/** A request, and what the page shows of its answer. */
export interface Answer {
  /** What a program calls for it. */
  readonly call: Call;
  readonly url: string;
  /** 0 when no answer has come. */
  readonly status: number;
  /** The answer; or why none has come. */
  readonly text: string;
  /** Milliseconds from asking to having all of it. */
  readonly time: number;
  readonly bytes: number;
}

export interface Found {
  /** What was asked, without the area of the map. */
  readonly question: string;
  /** Stores that match, loaded or not. */
  readonly total: number;
  /** In the order of the answer. */
  readonly stores: readonly FoundStore[];
  /** The first answer. */
  readonly answer: Answer;
  readonly isComplete: boolean;
  /** Whether no store lies in the radius that was asked for, and these are the nearest beyond it. */
  readonly isBeyond: boolean;
}

/** Why there is no new answer. */
export interface Failure {
  readonly error: unknown;
  /** When the service is asked again, in milliseconds since 1970; null: when the user wants it. */
  readonly until: number | null;
}
