/**
 * Tells who calls and whether they may, from the token in the headers and what KV knows of it: its
 * record, and the rotation beside it if there was one. Both come in one read.
 *
 * An isolate remembers the records it has read, by token, so that nearly every request is admitted
 * without storage, without hashing and without awaiting anything. The price is that a revocation
 * takes effect after about two minutes: RECORD_LIFETIME + RETRY_DELAY here, 30 seconds at the edge,
 * and KV's own delay. Expiry is checked on every request and takes effect at once.
 */
import { BoundedMap } from '../cache/bounded-map.ts';
import { awaitStorage, type Background, patienceOf } from '../load/background.ts';
import { SharedLoads, settlesWithin } from '../load/shared-loads.ts';
import { PROBLEMS, ProblemError } from '../problem.ts';
import { admit, type Caller, type Grant, unauthorized } from './grant.ts';
import { GuessCounter, type Visitor } from './guesses.ts';
import { type Report, readGrant, type TokenReader } from './stored-grant.ts';
import { type Environment, expectTokenOf, presentedToken } from './token.ts';

/** Milliseconds for which a record that was read is relied on. */
export const RECORD_LIFETIME = 60_000;

/**
 * Milliseconds for which a token without a record is refused without asking KV again. They are few,
 * so that a token that is used a moment before its record arrives is soon accepted.
 */
export const UNKNOWN_LIFETIME = 15_000;

/**
 * Milliseconds for which a record serves on while KV fails, counted from when it was last read.
 * Partners then outlive a short outage; a token revoked during one works for that long at most.
 */
export const STALE_LIMIT = 10 * 60_000;

/** Milliseconds for which KV is not asked again for a record that is being read or could not be. */
const RETRY_DELAY = 5_000;

/**
 * Milliseconds that a caller whose record is in memory waits for a newer one, unless the record is so
 * old that a revocation should have been seen by now: then as long as anybody waits for storage.
 */
const LONGEST_RENEWAL = 1_000;
const OLD_RECORD = 90_000;

/** Milliseconds after a failed read in which such a caller does not wait at all. */
const FAILURE_REST = 30_000;

/**
 * How many tokens are remembered, at about 1 kB each. Tokens without a record are counted apart, so
 * that no number of guesses pushes a record out.
 */
export const REMEMBERED_RECORDS = 2_000;
export const REMEMBERED_UNKNOWNS = 2_000;

export interface AuthenticatorOptions {
  /** Milliseconds since 1970; replaced in tests. */
  readonly now?: () => number;
  /**
   * Called when a record is damaged, and when KV fails while a remembered record serves on.
   */
  readonly report?: Report;
}

interface Remembered {
  readonly grant: Grant;
  /** Milliseconds since 1970. */
  readonly readAt: number;
  /** When to ask KV again; until then the grant is relied on. */
  askAt: number;
  /** When KV last failed to give a newer one in time. */
  failedAt: number;
}

/** What KV had nothing of. Milliseconds since 1970. */
interface Unknown {
  readonly readAt: number;
  /** Until then KV is not asked again. */
  readonly until: number;
}

/** Admits callers, and remembers for the life of an isolate what it read of their tokens. */
export class Authenticator {
  private readonly tokens: TokenReader;
  private readonly environment: Environment;
  private readonly now: () => number;
  private readonly report: Report;
  private readonly loads = new SharedLoads<Grant | null>();
  private readonly records = new BoundedMap<string, Remembered>(REMEMBERED_RECORDS);
  /** Tokens without a usable record. */
  private readonly unknowns = new BoundedMap<string, Unknown>(REMEMBERED_UNKNOWNS);
  private readonly guesses: GuessCounter;

  constructor(tokens: TokenReader, environment: Environment, options: AuthenticatorOptions = {}) {
    this.tokens = tokens;
    this.environment = environment;
    this.now = options.now ?? Date.now;
    this.report = options.report ?? (() => {});
    this.guesses = new GuessCounter(this.now);
  }

  /** How many tokens are held in memory, with a record and without. */
  get remembered(): { readonly records: number; readonly unknowns: number } {
    return { records: this.records.size, unknowns: this.unknowns.size };
  }

  /**
   * The caller whose token `headers` hold, if it carries `scope`. A promise only when KV must be
   * asked; otherwise the answer, or the error, comes at once. A token that is not in memory is
   * counted by the visitor's network before that.
   * @throws ProblemError (or rejects with it) of status 401, scope_missing, address_limited,
   *   storage_unreachable
   */
  authenticate(headers: Headers, scope: string, visitor: Visitor): Caller | Promise<Caller> {
    const token = presentedToken(headers);
    const now = this.now();
    const held = this.records.get(token);
    if (held && now < held.askAt) return admit(held.grant, scope, now);
    expectTokenOf(this.environment, token);
    const lookUp = () => this.authenticateByStorage(token, scope, visitor);
    return held ? lookUp() : this.guesses.count(token, visitor, lookUp);
  }

  private async authenticateByStorage(
    token: string,
    scope: string,
    visitor: Visitor,
  ): Promise<Caller> {
    const now = this.now();
    const held = this.records.get(token);
    // Another request may have brought it while this one was counted.
    if (held && now < held.askAt) return admit(held.grant, scope, now);
    const unknown = this.unknowns.get(token);
    if (unknown && now < unknown.until) throw unknownToken();
    visitor.whileAsking();
    const grant = await this.renew(token, held, visitor);
    if (!grant) throw unknownToken();
    return admit(grant, scope, this.now());
  }

  /** The grant of `token`: a new one, or the one held where KV fails. Null: there is none. */
  private async renew(
    token: string,
    held: Remembered | undefined,
    background: Background,
  ): Promise<Grant | null> {
    const now = this.now();
    if (held && now < held.readAt + STALE_LIMIT) {
      // This request asks KV; those that come meanwhile rely on the old record a little longer.
      held.askAt = this.putOff(held.readAt + RECORD_LIFETIME + RETRY_DELAY);
      return this.renewHeld(token, held, background);
    }
    try {
      return await awaitStorage(this.load(token, background), background);
    } catch (cause) {
      throw new ProblemError('storage_unreachable', 'The token could not be checked.', { cause });
    }
  }

  /** While KV is out of reach nobody waits for it who can do without. */
  private async renewHeld(
    token: string,
    held: Remembered,
    background: Background,
  ): Promise<Grant | null> {
    const load = this.load(token, background);
    if (this.now() - held.failedAt < FAILURE_REST) {
      background.defer(load.catch((cause) => this.relyOn(held, cause)));
      held.askAt = this.putOff(held.readAt + STALE_LIMIT);
      return held.grant;
    }
    const isOld = this.now() - held.readAt >= OLD_RECORD;
    const patience = isOld ? patienceOf(background) : LONGEST_RENEWAL;
    try {
      const isThere = await awaitStorage(settlesWithin(load, patience), background);
      if (isThere) return await load;
      this.relyOn(held, new Error(`KV took longer than ${patience} ms`));
    } catch (cause) {
      this.relyOn(held, cause);
    }
    return held.grant;
  }

  /** Lets a record serve on, as KV has failed to give a newer one. */
  private relyOn(held: Remembered, cause: unknown): void {
    held.failedAt = this.now();
    held.askAt = this.putOff(held.readAt + STALE_LIMIT);
    this.report('token_read_failed', cause);
  }

  /** When to ask KV again: soon, but not after `limit`. */
  private putOff(limit: number): number {
    return Math.min(this.now() + RETRY_DELAY, limit);
  }

  /**
   * Keeps what was read, unless a read that began later came before it: KV may have been late.
   * @param begunAt when the read began: what it brought is as old as that
   */
  private remember(token: string, grant: Grant | null, begunAt: number): void {
    const newest = this.records.get(token)?.readAt ?? this.unknowns.get(token)?.readAt;
    if (newest !== undefined && newest > begunAt) return;
    if (grant) {
      this.unknowns.delete(token);
      const askAt = begunAt + RECORD_LIFETIME;
      this.records.set(token, {
        grant,
        readAt: begunAt,
        askAt,
        failedAt: Number.NEGATIVE_INFINITY,
      });
    } else {
      this.records.delete(token);
      this.unknowns.set(token, { readAt: begunAt, until: this.now() + UNKNOWN_LIFETIME });
    }
  }

  /** Whoever comes while the record of a token is being read waits for that read. */
  private load(token: string, background: Background): Promise<Grant | null> {
    return this.loads.loadOne(token, () => this.read(token, background), background);
  }

  /** The only place where KV is read. What came is remembered even when everybody has given up. */
  private async read(token: string, background: Background): Promise<Grant | null> {
    const begunAt = this.now();
    const grant = await readGrant(token, this.tokens, background, this.report);
    this.remember(token, grant, begunAt);
    return grant;
  }
}

function unknownToken(): ProblemError {
  return unauthorized('token_unknown', PROBLEMS.token_unknown.help);
}
