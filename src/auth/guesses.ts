/**
 * Counts the tokens that an isolate does not know by the network they come from, before storage is
 * asked about them: whoever guesses makes the service ask a limited number of times.
 */
import { BoundedMap } from '../cache/bounded-map.ts';
import { type Background, LONGEST_WAIT } from '../load/background.ts';
import { settlesWithin } from '../load/shared-loads.ts';

/** A request whose token is looked at. */
export interface Visitor extends Background {
  /** The network that the request comes from: see `networkOf`. */
  readonly network: string;
  /**
   * Counts a token without a record in memory.
   * @throws ProblemError (rejects with it) address_limited, when the network has used up its allowance
   */
  countGuess(): Promise<void>;
  /** Called when storage is about to be asked, to begin what the answer will need beside the token. */
  whileAsking(): void;
}

/** A look-up that others can join. */
interface LookUp {
  readonly counted: Promise<void>;
  /** Milliseconds since 1970 from which on it is taken for lost: the platform ended its request. */
  readonly lostAt: number;
}

/** Milliseconds after which a request no longer waits for another one to be counted: it may be lost. */
const LONGEST_COUNT = 1_000;

/** Most look-ups that are remembered while they are under way. */
const MOST_LOOK_UPS = 2_000;

export class GuessCounter {
  private readonly underWay = new BoundedMap<string, LookUp>(MOST_LOOK_UPS);
  private readonly now: () => number;

  /** @param now milliseconds since 1970 */
  constructor(now: () => number) {
    this.now = now;
  }

  /**
   * What `lookUp` comes to, once the token is counted. Requests of the same token that come
   * from the same network meanwhile count as one: a partner may send a hundred at once to an isolate
   * that has just begun.
   * @throws what `countGuess` of the visitor and `lookUp` throw
   */
  async count<Value>(
    token: string,
    visitor: Visitor,
    lookUp: () => Promise<Value>,
  ): Promise<Value> {
    const key = `${visitor.network} ${token}`;
    const joined = this.underWay.get(key);
    const isUnderWay = joined !== undefined && this.now() < joined.lostAt;
    if (isUnderWay && (await settlesWithin(joined.counted, LONGEST_COUNT))) return lookUp();
    const counted = visitor.countGuess();
    const own = { counted, lostAt: this.now() + LONGEST_WAIT };
    this.underWay.set(key, own);
    try {
      await counted;
      return await lookUp();
    } finally {
      if (this.underWay.get(key) === own) this.underWay.delete(key);
    }
  }
}
