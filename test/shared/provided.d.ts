/** What vitest.config.ts hands to the Worker's tests, which see no environment variables. */
import 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** How many random pairs of releases `changes` is tried with. */
    changePairs: number;
    /** How many walks are made through a list while releases change. */
    copyWalks: number;
    /** Hostile requests that are sent: HOSTILE_REQUESTS. */
    hostileRequests: number;
  }
}
