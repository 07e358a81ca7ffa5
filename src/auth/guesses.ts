/**
 * Bounds how often storage is asked about tokens that do not exist, by the network they come from.
 *
 * A guess is a look-up that found no record: a good token never counts, nor does one whose record is
 * damaged. Once a guess is over the limit, the isolate refuses tokens from its network that it does
 * not hold, for one period and without asking storage. The guess that went over is refused alike, with
 * a 429 in the place of its 401, so that the limit is how many 401s a network can get.
 */
import { BoundedMap } from '../cache/bounded-map.ts';
import type { ReadContext } from '../load/read-context.ts';
import { ProblemError } from '../problem.ts';

/** A request whose token is looked at. */
export interface TokenRequest {
  readonly context: ReadContext;
  /** The network that the request comes from: see `networkOf`. */
  readonly network: string;
  /**
   * Counts a guess. Returns the seconds for which guesses are to be refused from now on; 0 while the
   * network is within its limit. Never rejects.
   */
  countGuess(): Promise<number>;
}

/** Networks that are remembered. */
const MAX_NETWORKS = 2_000;

export class GuessLimit {
  /** Until when tokens of a network are refused: milliseconds since 1970. */
  private readonly refusedUntil = new BoundedMap<string, number>(MAX_NETWORKS);

  /** @throws ProblemError address_limited while the network of a request is over its limit */
  expectWithin({ network }: TokenRequest): void {
    const rest = (this.refusedUntil.get(network) ?? 0) - Date.now();
    if (!(rest > 0)) return;
    const seconds = `${Math.ceil(rest / 1_000)}`;
    const detail = `Too many tokens that are not known here came from this address. Wait ${seconds} seconds.`;
    throw new ProblemError('address_limited', detail, { headers: { 'retry-after': seconds } });
  }

  /** Counts a look-up that found no record, and remembers it when that is over the limit. */
  async count(request: TokenRequest): Promise<void> {
    const seconds = await request.countGuess();
    if (seconds > 0) this.refusedUntil.set(request.network, Date.now() + seconds * 1_000);
  }
}
