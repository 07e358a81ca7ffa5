/**
 * Finds out who calls, and what the caller may do, from the token in the headers and its record in KV.
 *
 * An isolate remembers the records it has read, by token, so that nearly every request is admitted
 * without storage, without hashing and without awaiting anything. The price is that a revocation
 * takes effect within two minutes: RECORD_LIFETIME here, 30 seconds at the edge, and up to 45 seconds
 * that KV may need to bring the record there. Expiry is checked on every request and takes effect at once.
 *
 * A look-up that found no record is a guess: a good token never counts, nor does one whose record is
 * damaged. Once the guesses of a network are over its limit, the isolate refuses tokens from there that
 * it does not remember, for one period and without asking KV. The guess that went over is refused alike,
 * with a 429 in the place of its 401, so that the limit is how many 401s a network can get.
 */
import { BudgetCache } from '../cache/budget-cache.ts';
import { SharedReads } from '../load/shared-reads.ts';
import { PROBLEMS, ProblemError } from '../model/problem.ts';
import { MAX_RENEWAL, type ReadContext, type Report } from '../storage/reading.ts';
import { SealError } from '../storage/sealed-json.ts';
import { type Grant, readGrant, type TokenReader } from './grant.ts';
import { type Environment, expectTokenOf, presentedToken } from './token.ts';

/**
 * Milliseconds for which a record that was read is relied on, and after which one that is used is read
 * anew behind an answer.
 */
export const RECORD_LIFETIME = 45_000;
const RENEWAL_AGE = 30_000;

/**
 * Milliseconds for which a token without a record is refused without asking KV again. They are few,
 * so that a token that is used a moment before its record arrives is soon accepted.
 */
const UNKNOWN_LIFETIME = 15_000;

/**
 * Milliseconds for which a record serves on while KV fails or is slow, counted from when it was last
 * read. Partners then outlive a short outage; a token revoked during one works for that long at most.
 */
export const MAX_STALE = 10 * 60_000;

/** Milliseconds after a failed read in which KV is not asked again. */
const FAILURE_REST = 30_000;

/**
 * How many tokens are remembered, at about 1 kB each. Tokens without a record are counted apart, so
 * that no number of guesses pushes a record out.
 */
export const MAX_RECORDS = 2_000;
export const MAX_UNKNOWNS = 2_000;

/** Networks that are remembered for their guesses. */
const MAX_NETWORKS = 2_000;

/** A request whose token is looked at. */
export interface TokenRequest {
  readonly context: ReadContext;
  /** Returns the network that the request comes from: see `networkOf`. */
  network(): string;
  /**
   * Counts a guess. Returns the seconds for which guesses are to be refused from now on; 0 while the
   * network is within its limit. Never rejects.
   */
  countGuess(): Promise<number>;
}

interface Remembered {
  readonly grant: Grant;
  /** Milliseconds since 1970. */
  readonly readAt: number;
  /** When to ask KV again; until then the grant is relied on. */
  askAt: number;
}

/** Finds the grants of tokens, and remembers for the life of an isolate what it read of them. */
export class Authenticator {
  private readonly tokens: TokenReader;
  private readonly environment: Environment;
  private readonly report: Report;
  private readonly reads = new SharedReads<Grant | null>();
  private readonly records = new BudgetCache<Remembered>(MAX_RECORDS);
  /** When KV was last asked for tokens without a usable record. */
  private readonly unknowns = new BudgetCache<number>(MAX_UNKNOWNS);
  /** Until when guesses of a network are refused: milliseconds since 1970. */
  private readonly refusedUntil = new BudgetCache<number>(MAX_NETWORKS);

  /** @param report called when a record is damaged, and when KV fails while a remembered one serves on */
  constructor(tokens: TokenReader, environment: Environment, report: Report) {
    this.tokens = tokens;
    this.environment = environment;
    this.report = report;
  }

  /**
   * Returns the grant of the token that `headers` hold, which may be revoked or have expired. A promise
   * only when KV must be asked; otherwise the answer, or the error, comes at once.
   * @throws ProblemError (or rejects with it) of status 401, address_limited, storage_unreachable
   */
  authenticate(headers: Headers, request: TokenRequest): Grant | Promise<Grant> {
    const token = presentedToken(headers);
    const held = this.records.get(token);
    if (held && Date.now() < held.askAt) return held.grant;
    expectTokenOf(this.environment, token);
    if (held) return this.renew(token, held, request);
    this.expectWithinLimit(request);
    if (this.isUnknown(token)) throw unknownToken();
    // Each network has its own limit: none shares a look-up that is counted for another.
    return this.lookUp(`${request.network()} ${token}`, token, request);
  }

  /** Reads a newer record. Only requests whose record is over its lifetime wait for it. */
  private renew(token: string, held: Remembered, request: TokenRequest): Grant | Promise<Grant> {
    const { context } = request;
    const now = Date.now();
    if (now >= held.readAt + MAX_STALE) return this.lookUp(token, token, request);
    const lifeEndsAt = held.readAt + RECORD_LIFETIME;
    // Until then, requests that come meanwhile do not ask.
    held.askAt = lifeEndsAt;
    const isOver = now >= lifeEndsAt;
    // A wait leaves the request time for what else it has to read.
    const giveUpAt = isOver ? Math.min(now + MAX_RENEWAL, context.giveUpAt) : context.giveUpAt;
    const renewal = this.reads
      .loadOne(token, () => this.read(token, request), context, giveUpAt)
      .catch((cause) => this.relyOn(token, held, cause));
    if (isOver) {
      return context.storage.measureWait(renewal).then((grant) => this.expectFound(grant, request));
    }
    context.defer(renewal);
    return held.grant;
  }

  /** Returns the grant that KV has. @param key under which requests share the read */
  private async lookUp(key: string, token: string, request: TokenRequest): Promise<Grant> {
    const { context } = request;
    const load = this.reads.loadOne(key, () => this.read(token, request), context);
    const grant = await context.storage.measureWait(load).catch((cause) => {
      throw new ProblemError('storage_unreachable', 'The token could not be checked.', { cause });
    });
    return this.expectFound(grant, request);
  }

  /** Returns a grant that was found. @throws ProblemError address_limited, token_unknown without one */
  private expectFound(grant: Grant | null, request: TokenRequest): Grant {
    if (grant) return grant;
    this.expectWithinLimit(request);
    throw unknownToken();
  }

  /** Refuses a request while its network is over its limit. @throws ProblemError address_limited */
  private expectWithinLimit(request: TokenRequest): void {
    const rest = (this.refusedUntil.get(request.network()) ?? 0) - Date.now();
    if (!(rest > 0)) return;
    const seconds = `${Math.ceil(rest / 1_000)}`;
    const detail = `Too many tokens that are not known here came from this address. Wait ${seconds} seconds.`;
    throw new ProblemError('address_limited', detail, { headers: { 'retry-after': seconds } });
  }

  /**
   * Lets a record serve on, as KV has failed to give a newer one. Null: by the newest read there is none
   * any more.
   */
  private relyOn(token: string, held: Remembered, cause: unknown): Grant | null {
    if (this.isUnknown(token)) return null;
    const now = Date.now();
    // The first of the requests that waited has put off the next read, and reports for them all.
    const isFirst = held.askAt <= Math.max(now, held.readAt + RECORD_LIFETIME);
    if (isFirst) this.report('token_read_failed', cause);
    held.askAt = Math.min(now + FAILURE_REST, held.readAt + MAX_STALE);
    return held.grant;
  }

  /**
   * Keeps what was read, unless a read that began later came before it: KV may have been late.
   * @param begunAt when the read began: what it brought is as old as that
   */
  private remember(token: string, grant: Grant | null, begunAt: number): void {
    const newest = this.records.get(token)?.readAt ?? this.unknowns.get(token);
    if (newest !== undefined && newest > begunAt) return;
    if (grant) {
      this.unknowns.delete(token);
      this.records.set(token, { grant, readAt: begunAt, askAt: begunAt + RENEWAL_AGE });
    } else {
      this.records.delete(token);
      this.unknowns.set(token, begunAt);
    }
  }

  /** Returns whether KV had no record of `token` a moment ago. */
  private isUnknown(token: string): boolean {
    const readAt = this.unknowns.get(token);
    return readAt !== undefined && Date.now() < readAt + UNKNOWN_LIFETIME;
  }

  /**
   * Reads a record from KV; all other methods call this one. What came is remembered even when no
   * request waits any longer. A damaged record admits no caller.
   */
  private async read(token: string, request: TokenRequest): Promise<Grant | null> {
    const begunAt = Date.now();
    try {
      const grant = await readGrant(token, this.tokens, request.context);
      this.remember(token, grant, begunAt);
      const seconds = grant ? 0 : await request.countGuess();
      if (seconds > 0) this.refusedUntil.set(request.network(), Date.now() + seconds * 1_000);
      return grant;
    } catch (error) {
      if (!(error instanceof SealError)) throw error;
      this.report('token_record_damaged', error);
      this.remember(token, null, begunAt);
      return null;
    }
  }
}

function unknownToken(): ProblemError {
  return new ProblemError('token_unknown', PROBLEMS.token_unknown.help);
}
