/**
 * What vitest.config.ts and build-pages.ts hand to the Worker's tests, which see neither environment
 * variables nor files.
 */
import 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** How many random pairs of releases `changes` is tried with. */
    changePairs: number;
    /** How many walks are made through a list while releases change. */
    copyWalks: number;
    /** The files that the Worker serves pages from, by their paths in the folder of the site. */
    siteFiles: string[];
    /** Hostile requests that are sent: HOSTILE_REQUESTS. */
    hostileRequests: number;
  }
}
