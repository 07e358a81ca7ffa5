/** Checks before a decision, and whether they are still fresh when it is sent. */

/** Milliseconds for which a confirmation is good, once it has come to its end. */
export const CONFIRMATION_LIFETIME = 60_000;

/**
 * Milliseconds for which it is good to know what is condemned: nothing is deleted within a day of
 * that. An intent is used no longer either; it counts for twice as long.
 */
export const CHECKS_LIFETIME = 12 * 3600_000;

/** The checks are too old to go by. */
class GrownOld extends Error {}

/**
 * Looks at the last moment before a request is sent, for the machine may have slept.
 * @param since when the confirmation ended, by the clock of this machine
 */
export function freshSince(since: number, now: () => number): () => void {
  return () => {
    const age = now() - since;
    // A clock that was set back tells nothing.
    if (age < 0 || age > CONFIRMATION_LIFETIME) throw new GrownOld();
  };
}

/** Null in place of the error that checks have grown old. */
export function unlessGrownOld(error: unknown): null {
  if (error instanceof GrownOld) return null;
  throw error;
}
