/**
 * What vitest.config.ts, build-pages.ts and prepared/prepare-once.ts hand to tests. Tests of the Worker
 * see neither environment variables nor files.
 */
import 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** How many random pairs of releases `changes` is tried with. */
    changePairs: number;
    /** The address of who prepares what several test files of Node use: see ask-prepared.ts. */
    preparedAt: string;
    /** The files that the Worker serves pages from, by their paths in the folder of the site. */
    siteFiles: string[];
  }
}
