/**
 * Tells who calls and whether they may, from the token in the headers and what KV knows of it: its
 * record, and the rotation beside it if there was one. Both come in one read.
 *
 * An isolate remembers the records it has read, by token, so that nearly every request is admitted
 * without storage, without hashing and without awaiting anything. The price is that a revocation
 * takes effect after about two minutes: RECORD_LIFETIME + RETRY_DELAY here, KV_CACHE_SECONDS at the
 * edge, and KV's own delay. Expiry is checked on every request and takes effect at once.
 */
import { BoundedMap } from '../cache/bounded-map.ts';
import { awaitStorage, type Background } from '../load/background.ts';
import { type BeginReads, SharedLoads, settlesWithin, withDeadline } from '../load/shared-loads.ts';
import { PROBLEMS, ProblemError } from '../problem.ts';
import { admit, type Caller, type Grant, grantOf, unauthorized } from './grant.ts';
import {
  type Environment,
  expectTokenOf,
  hashToken,
  presentedToken,
  publicId,
  rotationKey,
  tokenKey,
} from './token.ts';
import { parseRotation, parseTokenRecord, TokenRecordError } from './token-record.ts';

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

/** Milliseconds that a caller whose record is in memory waits for a newer one. */
const LONGEST_RENEWAL = 1_000;

/** Milliseconds after a failed read in which such a caller does not wait at all. */
const FAILURE_REST = 30_000;

/** Seconds that the edge may answer without asking KV; 30 is the least KV allows. */
const KV_CACHE_SECONDS = 30;

/**
 * How many tokens are remembered, at about 1 kB each. Tokens without a record are counted apart, so
 * that no number of guesses pushes a record out.
 */
export const REMEMBERED_RECORDS = 2_000;
export const REMEMBERED_UNKNOWNS = 2_000;

/** The part of a KV namespace that tokens are read through: many keys in one operation. */
export interface TokenReader {
  get(
    keys: string[],
    options: { type: 'text'; cacheTtl: number },
  ): Promise<ReadonlyMap<string, string | null>>;
}

export interface AuthenticatorOptions {
  /** Milliseconds since 1970; replaced in tests. */
  readonly now?: () => number;
  /**
   * Called when a record is damaged, and when KV fails while a remembered record serves on. It is
   * never given a secret.
   */
  readonly report?: (event: string, error: unknown) => void;
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

const encoder = new TextEncoder();

/** Admits callers, and remembers for the life of an isolate what it read of their tokens. */
export class Authenticator {
  private readonly tokens: TokenReader;
  private readonly environment: Environment;
  private readonly now: () => number;
  private readonly report: (event: string, error: unknown) => void;
  private readonly loads = new SharedLoads<Grant | null>();
  private readonly records = new BoundedMap<string, Remembered>(REMEMBERED_RECORDS);
  /** Tokens without a usable record, each with the time until which KV is not asked about it. */
  private readonly unknowns = new BoundedMap<string, number>(REMEMBERED_UNKNOWNS);

  constructor(tokens: TokenReader, environment: Environment, options: AuthenticatorOptions = {}) {
    this.tokens = tokens;
    this.environment = environment;
    this.now = options.now ?? Date.now;
    this.report = options.report ?? (() => {});
  }

  /** How many tokens are held in memory, with a record and without. */
  get remembered(): { readonly records: number; readonly unknowns: number } {
    return { records: this.records.size, unknowns: this.unknowns.size };
  }

  /**
   * The caller whose token `headers` hold, if it carries `scope`. A promise only when KV must be
   * asked; otherwise the answer, or the error, comes at once.
   * @throws ProblemError (or rejects with it) of status 401, scope_missing, storage_unreachable
   */
  authenticate(headers: Headers, scope: string, background: Background): Caller | Promise<Caller> {
    const token = presentedToken(headers);
    const now = this.now();
    const held = this.records.get(token);
    if (held && now < held.askAt) return admit(held.grant, scope, now);
    expectTokenOf(this.environment, token);
    return this.authenticateByStorage(token, held, scope, background);
  }

  private async authenticateByStorage(
    token: string,
    held: Remembered | undefined,
    scope: string,
    background: Background,
  ): Promise<Caller> {
    const refusedUntil = this.unknowns.get(token) ?? Number.NEGATIVE_INFINITY;
    const grant = this.now() < refusedUntil ? null : await this.renew(token, held, background);
    if (!grant) throw unauthorized('token_unknown', PROBLEMS.token_unknown.help);
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
    try {
      const isThere = await awaitStorage(settlesWithin(load, LONGEST_RENEWAL), background);
      if (isThere) return await load;
      this.relyOn(held, new Error(`KV took longer than ${LONGEST_RENEWAL} ms`));
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

  private remember(token: string, grant: Grant | null): void {
    const now = this.now();
    if (grant) {
      this.unknowns.delete(token);
      const askAt = now + RECORD_LIFETIME;
      this.records.set(token, { grant, readAt: now, askAt, failedAt: Number.NEGATIVE_INFINITY });
    } else {
      this.records.delete(token);
      this.unknowns.set(token, now + UNKNOWN_LIFETIME);
    }
  }

  /** Whoever comes while the record of a token is being read waits for that read. */
  private async load(token: string, background: Background): Promise<Grant | null> {
    const begin: BeginReads<Grant | null> = (tokens, begun) => {
      begun();
      return new Map(tokens.map((each) => [each, this.read(each, background)]));
    };
    const grants = await this.loads.load([token], begin, background);
    return grants.get(token) ?? null;
  }

  /**
   * The grant of `token` as KV has it, which is remembered even when everybody who waited for it has
   * given up. The only place where KV is read.
   */
  private async read(token: string, { storage }: Background): Promise<Grant | null> {
    const hash = await hashToken(token);
    const keys = [tokenKey(hash), rotationKey(hash)] as const;
    const options = { type: 'text', cacheTtl: KV_CACHE_SECONDS } as const;
    storage.reads++;
    storage.keys += keys.length;
    const read = this.tokens.get([...keys], options);
    const texts = await withDeadline(read, `the record of token ${publicId(hash)}`);
    for (const text of texts.values()) storage.bytes += text ? encoder.encode(text).length : 0;
    const record = texts.get(keys[0]) ?? null;
    const rotation = texts.get(keys[1]) ?? null;
    const grant = record === null ? null : this.parse(publicId(hash), record, rotation);
    this.remember(token, grant);
    return grant;
  }

  /** A damaged record lets nobody in, nor does a damaged rotation; both are reported. */
  private parse(tokenId: string, record: string, rotation: string | null): Grant | null {
    try {
      const ended = rotation === null ? null : parseRotation(rotation);
      return grantOf(tokenId, parseTokenRecord(record), ended);
    } catch (cause) {
      if (!(cause instanceof TokenRecordError)) throw cause;
      const error = new TokenRecordError(`token ${tokenId}: ${cause.message}`);
      this.report('token_record_damaged', error);
      return null;
    }
  }
}
