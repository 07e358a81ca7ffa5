/**
 * Bounds how often storage is asked about tokens that do not exist, by the network they come from.
 *
 * A guess is a look-up that found no record: a good token never counts, nor does one whose record is
 * damaged. Once a guess is over the limit, the isolate refuses tokens from its network that it does
 * not hold, for one period and without asking storage. The guess that went over is refused alike, with
 * a 429 in the place of its 401, so that the limit is how many 401s a network can get.
 *
 * Before the limit is known, few tokens of a network are looked up at once, and others wait their
 * turn (`load/room.ts`): a flood is stopped by its first look-ups.
 */
import { BoundedMap } from '../cache/bounded-map.ts';
import type { Background } from '../load/background.ts';
import { Room } from '../load/room.ts';
import { type BeginReads, SharedLoads } from '../load/shared-loads.ts';
import { ProblemError } from '../problem.ts';
import type { Grant } from './grant.ts';

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
  /**
   * Called when storage is asked, to begin what the answer will need beside the token: not before the
   * turn of a token that is not known, so that a flood of guesses begins nothing either.
   */
  whileAsking(): void;
}

/** Tokens of one network that an isolate looks up at once. */
export const MOST_LOOK_UPS = 10;

/** Networks that are remembered. */
const MOST_NETWORKS = 2_000;

/** What is known of a network. */
interface Network {
  /** Milliseconds since 1970. */
  refusedUntil: number;
  /** Of the look-ups under way. */
  readonly room: Room;
  readonly loads: SharedLoads<Grant | null>;
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

  /**
   * What `read` finds of a token that is not known here. Requests of one network share the look-up:
   * each network has turns and a limit of its own, so that none is refused for another.
   * @throws ProblemError address_limited, storage_unreachable when its turn does not come in time, or
   *   as `read` does
   */
  async lookUp(
    token: string,
    request: TokenRequest,
    read: () => Promise<Grant | null>,
  ): Promise<Grant | null> {
    const { room, loads } = this.networkOf(request);
    const begin: BeginReads<Grant | null> = (_, wake) => {
      this.expectWithin(request);
      const taken = room.take(1, wake);
      if (!taken) return null;
      request.whileAsking();
      return new Map([[token, read().finally(() => room.leave(taken))]]);
    };
    return (await loads.load([token], begin, request.background)).get(token) ?? null;
  }

  /** Counts a look-up that found no record, and remembers it when that is over the limit. */
  async count(request: TokenRequest): Promise<void> {
    const seconds = await request.countGuess();
    if (seconds > 0) this.networkOf(request).refusedUntil = Date.now() + seconds * 1_000;
  }

  private networkOf({ network: name }: TokenRequest): Network {
    let network = this.networks.get(name);
    if (!network) {
      const room = new Room(MOST_LOOK_UPS);
      network = { refusedUntil: 0, room, loads: new SharedLoads(undefined, room) };
      this.networks.set(name, network);
    }
    return network;
  }
}
