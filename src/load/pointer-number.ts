/**
 * Decides by its number whether a pointer that was read is to be followed.
 *
 * Numbers grow with each turn of the pointer. But what was read may be a late copy of an older
 * pointer, or lead to a release that could not be read a moment ago.
 */

/** Milliseconds for which a release that could not be read is not tried again. */
const FAILURE_LIFETIME = 2 * 60_000;

/**
 * Milliseconds for which a lower number in the pointer must have stood to be followed. KV may answer
 * with an older copy from another tier; a number that stays low is that of storage set up anew.
 */
const LOWER_NUMBER_LIFETIME = 5 * 60_000;

/** A number of the pointer, and since when something is known of it. */
interface SeenNumber {
  readonly number: number;
  /** Milliseconds since 1970. */
  readonly since: number;
}

export class PointerNumber {
  /** Number of the pointer that was followed last, though its release may not be held any more. */
  private followed = 0;
  private failed: SeenNumber | undefined;
  private lower: SeenNumber | undefined;

  /** @param isHeld whether the release that the pointer leads to answers at present */
  isToFollow(number: number, isHeld: boolean): boolean {
    const now = Date.now();
    if (number >= this.followed) this.lower = undefined;
    else if (this.lower?.number !== number) this.lower = { number, since: now };
    if (this.lower && now - this.lower.since < LOWER_NUMBER_LIFETIME) return false;
    if (this.failed?.number === number) return now - this.failed.since >= FAILURE_LIFETIME;
    return number !== this.followed || !isHeld;
  }

  follow(number: number): void {
    this.followed = number;
    this.failed = undefined;
    this.lower = undefined;
  }

  /** Says that the release could not be read: of this number, or of the one followed last. */
  fail(number = this.followed): void {
    this.failed = { number, since: Date.now() };
  }
}
