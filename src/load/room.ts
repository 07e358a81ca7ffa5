/**
 * Bounds what is under way at a time, such as the bytes of reads, first come first served.
 *
 * What takes room counts until it leaves or its deadline ends: when the platform ends a request,
 * nothing says that its reads are over, and their bytes may still be on their way.
 */
import { READ_DEADLINE } from '../storage/deadline.ts';

/** Milliseconds after which a request in line looks again, should nothing wake it. */
export const LOOK_FOR_ROOM = 250;

/** Milliseconds without a look after which a request counts as gone: the platform has ended it. */
const GONE_AFTER = 2 * LOOK_FOR_ROOM;

/** Something that was let in. */
export interface RoomTaken {
  readonly size: number;
  /** Milliseconds since 1970. */
  readonly until: number;
}

export class Room {
  private readonly size: number;
  private readonly taken = new Set<RoomTaken>();
  /** What wakes each request in line, in order, and when it looked last (milliseconds since 1970). */
  private readonly line = new Map<() => void, number>();

  /** @param size what is larger than that goes alone */
  constructor(size: number) {
    this.size = size;
  }

  /**
   * Takes room of this size. Null: there is none, or others came before; `wake`, the same function each
   * time, is called when there may be. Look again then, or after LOOK_FOR_ROOM.
   */
  take(size: number, wake: () => void): RoomTaken | null {
    const now = Date.now();
    const first = this.firstInLine(now);
    if ((first !== undefined && first !== wake) || !this.fits(size, now)) {
      // One that is in line keeps its place.
      this.line.set(wake, now);
      return null;
    }
    this.line.delete(wake);
    const taken = { size, until: now + READ_DEADLINE };
    this.taken.add(taken);
    // There may be room for the next one, too.
    this.firstInLine(now)?.();
    return taken;
  }

  /** Gives the room up. */
  leave(taken: RoomTaken): void {
    this.taken.delete(taken);
    for (const wake of this.line.keys()) wake();
  }

  /** Says that a request wants no room any more. */
  leaveLine(wake: () => void): void {
    this.line.delete(wake);
  }

  private fits(size: number, now: number): boolean {
    let sum = size;
    for (const each of this.taken) {
      if (now >= each.until) this.taken.delete(each);
      else sum += each.size;
    }
    return this.taken.size === 0 || sum <= this.size;
  }

  private firstInLine(now: number): (() => void) | undefined {
    for (const [wake, lookedAt] of this.line) {
      if (now - lookedAt < GONE_AFTER) return wake;
      this.line.delete(wake);
    }
    return undefined;
  }
}
