/** Checks before a decision, and whether they are still fresh when it is sent. */

/** How long one may rely on a confirmation after it has ended, milliseconds. */
export const CONFIRMATION_LIFETIME = 60_000;

/**
 * How long one may rely on having read what is condemned, milliseconds: whatever is condemned later is
 * not deleted before a day has passed. A publication relies on its intent for as long, although others
 * heed that for twice the time.
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
