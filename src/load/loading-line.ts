/**
 * Lets reads go ahead, first come first served, while they stay within so many bytes together.
 *
 * A turn ends by itself after a while: a read that hangs must not hold up all others, and that of a
 * request which the platform has ended never says that it is done.
 */

/** Milliseconds after which a turn no longer counts. Then another read may be begun beside it. */
export const LONGEST_TURN = 2_000;

/** A read that was let go ahead. */
export interface Turn {
  readonly bytes: number;
  /** Milliseconds since 1970. */
  readonly since: number;
}

interface Waiting {
  readonly bytes: number;
  readonly go: (turn: Turn) => void;
}

export class LoadingLine {
  private readonly bytesAtOnce: number;
  private readonly line: Waiting[] = [];
  private readonly turns = new Set<Turn>();

  /** @param bytesAtOnce what is larger than that goes alone */
  constructor(bytesAtOnce: number) {
    this.bytesAtOnce = bytesAtOnce;
  }

  /** Resolves when it is one's turn. Each who enters has to leave. */
  enter(bytes: number): Promise<Turn> {
    const { promise, resolve } = Promise.withResolvers<Turn>();
    this.line.push({ bytes, go: resolve });
    this.advance();
    if (this.line.length === 0) return promise;
    // A read that hangs never leaves, and neither may the one after it. So this one looks again and
    // again for turns that have ended by themselves.
    const timer = setInterval(() => this.advance(), LONGEST_TURN);
    return promise.finally(() => clearInterval(timer));
  }

  leave(turn: Turn): void {
    this.turns.delete(turn);
    this.advance();
  }

  private advance(): void {
    for (let next = this.line[0]; next; next = this.line[0]) {
      if (!this.hasRoomFor(next.bytes)) return;
      this.line.shift();
      const turn = { bytes: next.bytes, since: Date.now() };
      this.turns.add(turn);
      next.go(turn);
    }
  }

  private hasRoomFor(bytes: number): boolean {
    const now = Date.now();
    let underWay = 0;
    for (const turn of this.turns) {
      if (now - turn.since >= LONGEST_TURN) this.turns.delete(turn);
      else underWay += turn.bytes;
    }
    return this.turns.size === 0 || underWay + bytes <= this.bytesAtOnce;
  }
}
