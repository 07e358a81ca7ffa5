/**
 * Bounds how often storage is asked about tokens that do not exist, by the network they come from.
 *
 * A guess is a look-up that found no record: a good token never counts, nor does one whose record is
 * damaged. Once a guess is over the limit, the isolate refuses tokens from its network that it does
 * not hold, for one period and without asking storage. The guess that went over is refused alike, with
 * a 429 in the place of its 401, so that the limit is how many 401s a network can get.
 *
 * Before the limit is known, few tokens of a network are looked up at once, and others wait their
 * turn: a flood is stopped by its first look-ups. A request waits for room on a promise of its own,
 * and looks again by a timer of its own, for the platform may have ended the request that would tell
 * it. A turn that is never given back ends by itself.
 */
import { BoundedMap } from '../cache/bounded-map.ts';
import type { Background } from '../load/background.ts';
import { DeadlineError, settlesWithin } from '../load/shared-loads.ts';
import { ProblemError } from '../problem.ts';

/** A request whose token is looked at. */
export interface TokenRequest {
  readonly background: Background;
  /** The network that the request comes from: see `networkOf`. */
  readonly network: string;
  /**
   * Counts a guess. Seconds for which guesses are to be refused from now on; 0 while the network is
   * within its limit. Never rejects.
   */
  countGuess(): Promise<number>;
  /** Called when storage is about to be asked, to begin what the answer will need beside the token. */
  whileAsking(): void;
}

/** Tokens of one network that an isolate looks up at once. */
export const MOST_LOOK_UPS = 10;

/** Milliseconds after which a turn ends by itself: longer than a read and a count may take. */
const LONGEST_TURN = 11_000;

/** Milliseconds after which a request looks for room again, whether or not it was told of any. */
const LOOK_AGAIN = 1_000;

/** Networks that are remembered. */
const MOST_NETWORKS = 2_000;

/** What is known of a network. Times are milliseconds since 1970. */
interface Network {
  refusedUntil: number;
  /** Of the look-ups under way. */
  readonly turns: Set<{ readonly endsAt: number }>;
  /** What tells a waiting request to look for room, with the time at which it does so by itself. */
  readonly waiting: Map<() => void, number>;
}

export class GuessLimit {
  private readonly networks = new BoundedMap<string, Network>(MOST_NETWORKS);

  /** @throws ProblemError address_limited while the network of a request is over its limit */
  expectWithin({ network }: TokenRequest): void {
    const rest = (this.networks.get(network)?.refusedUntil ?? 0) - Date.now();
    if (!(rest > 0)) return;
    const seconds = `${Math.ceil(rest / 1_000)}`;
    const detail = `Too many tokens that are not known here came from this address. Wait ${seconds} seconds.`;
    throw new ProblemError('address_limited', detail, { headers: { 'retry-after': seconds } });
  }

  /** Whether a look-up would begin at once. */
  hasRoom(request: TokenRequest): boolean {
    return hasRoom(this.networkOf(request));
  }

  /**
   * What `lookUp` comes to, which begins when it is its turn.
   * @param giveUpAt milliseconds since 1970: after that it does not begin
   * @throws ProblemError address_limited, DeadlineError when its turn does not come in time, or as
   *   `lookUp` does
   */
  async inTurn<Value>(
    request: TokenRequest,
    giveUpAt: number,
    lookUp: () => Promise<Value>,
  ): Promise<Value> {
    const network = this.networkOf(request);
    for (;;) {
      this.expectWithin(request);
      const rest = giveUpAt - Date.now();
      if (rest <= 0) throw new DeadlineError('too many tokens of this network are being looked up');
      if (hasRoom(network)) break;
      await waitForRoom(network, Math.min(rest, LOOK_AGAIN));
    }
    const turn = { endsAt: Date.now() + LONGEST_TURN };
    network.turns.add(turn);
    try {
      return await lookUp();
    } finally {
      network.turns.delete(turn);
      tellOfRoom(network);
    }
  }

  /** Counts a look-up that found no record, and remembers it when that is over the limit. */
  async count(request: TokenRequest): Promise<void> {
    const seconds = await request.countGuess();
    if (seconds === 0) return;
    const network = this.networkOf(request);
    network.refusedUntil = Date.now() + seconds * 1_000;
    for (const look of network.waiting.keys()) look();
  }

  private networkOf({ network: name }: TokenRequest): Network {
    let network = this.networks.get(name);
    if (!network) {
      network = { refusedUntil: 0, turns: new Set(), waiting: new Map() };
      this.networks.set(name, network);
    }
    return network;
  }
}

function hasRoom({ turns }: Network): boolean {
  const now = Date.now();
  for (const turn of turns) if (turn.endsAt <= now) turns.delete(turn);
  return turns.size < MOST_LOOK_UPS;
}

/** Resolves when there may be room, after so many milliseconds at the most. */
async function waitForRoom({ waiting }: Network, milliseconds: number): Promise<void> {
  const now = Date.now();
  // Requests that the platform has ended no longer take themselves off.
  for (const [look, byItself] of waiting) {
    if (byItself > now) break;
    waiting.delete(look);
  }
  const { promise, resolve } = Promise.withResolvers<void>();
  waiting.set(resolve, now + milliseconds);
  await settlesWithin(promise, milliseconds);
  waiting.delete(resolve);
}

function tellOfRoom({ turns, waiting }: Network): void {
  let room = MOST_LOOK_UPS - turns.size;
  for (const look of waiting.keys()) {
    if (room-- <= 0) return;
    waiting.delete(look);
    look();
  }
}
