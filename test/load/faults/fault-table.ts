/**
 * What each failure of storage looks like from outside. `faults.worker.test.ts` makes every row happen, in a
 * warm isolate and in a fresh one; the table of `docs/alerts.md` is written from it (`failures-page.ts`).
 */

/** What can go wrong with reads, and how the manual calls it. */
export const FAULTS = {
  slow: 'each read takes 1.5 seconds',
  verySlow: 'each read takes 3 seconds',
  failsOnce: 'one read fails',
  fails: 'every read fails',
  hangsOnce: 'one read never ends',
  hangs: 'no read ever ends',
  missing: 'nothing is found',
  cut: 'it is cut short',
  flipped: 'one bit is flipped',
  damagedOnce: 'it comes damaged once',
  olderFormat: 'it has an older format',
  newerFormat: 'it has a newer format',
  namesNothing: 'it names an object that is not there',
  olderRelease: 'it leads to an older release',
  backAndForth: 'it leads to an older release and to the live one, by turns',
} as const;

export type Fault = keyof typeof FAULTS;

/** What is read, and how the manual calls it. */
export const TARGETS = {
  pointer: 'The pointer',
  part: 'An index part',
  documents: 'A chunk of stores',
  snapshots: 'All snapshot storage',
  record: "A token's record",
  rotation: "A token's rotation",
  everything: 'All storage, tokens included',
  name: 'The name of a kept release, for `changes`',
  compared: 'What `changes` compares',
  run: 'When publishing last ran',
  cache: 'The cache in front of R2',
  limiter: 'The rate limiter',
  guesses: 'The limiter of guesses',
} as const;

export type Target = keyof typeof TARGETS;

/** The requests that the rows are seen by, and how the manual calls them. */
export const REQUESTS = {
  list: 'a list',
  changes: '`changes`',
  health: '`/healthz`',
  ranWithin: '`/healthz?ran-within=…`',
  guess: 'a token that was never issued',
} as const;

export type RequestName = keyof typeof REQUESTS;

/**
 * An answer: of the live release, of the one before it, or a problem by its code. What a partner gets
 * of a release is a 200, whole and of that release alone.
 */
export type Answer =
  | 'live'
  | 'before'
  | 'storage_unreachable'
  | 'snapshot_missing'
  | 'token_unknown'
  | 'release_gone'
  | 'run_overdue';

/** What one isolate does. */
export interface Seen {
  /** Of the first requests while the fault lasts, five seconds apart; the last one stands for all others. */
  readonly answers: readonly [Answer, ...Answer[]];
  /** Seconds that the slowest of them takes. */
  readonly waits: number;
  /** Events in the log, requests aside. */
  readonly logs: readonly string[];
  /**
   * Seconds from when storage is well again within which an answer is of the live release, with a
   * request every ten seconds: 0 for the next one. Null where answers are of it while the fault lasts.
   */
  readonly heals: number | null;
}

/** What differs from `SERVED`. */
type Difference = Partial<Seen>;

interface Case {
  /** All of them look the same. */
  readonly faults: readonly Fault[];
  /** A list unless it says otherwise. */
  readonly request?: RequestName;
  /** An isolate that has nothing in memory when the fault begins. Nothing is noticed unless it says otherwise. */
  readonly fresh?: Difference;
  /**
   * One that has answered the same request before, and is due to look at what the fault hits: a new
   * release went live half a minute ago; a token's record is as old. As a fresh one unless it
   * says otherwise.
   */
  readonly warm?: Difference;
  /** What the manual says besides. */
  readonly note?: string;
}

export interface Row extends Case {
  readonly target: Target;
  readonly request: RequestName;
  readonly fresh: Seen;
  readonly warm: Seen;
}

/** Nothing is noticed. */
const SERVED: Seen = { answers: ['live'], waits: 0, logs: [], heals: null };

/** A warm isolate takes the new release up behind its first answer. */
const FOLLOWED: Difference = { answers: ['before', 'live'] };

/** The release before answers, and what is wrong is logged. */
const before = (heals: number, ...logs: string[]): Difference => {
  return { answers: ['before'], logs, heals };
};

/** A warm isolate cannot look for the new release. */
const NOT_FOLLOWED = before(30, 'refresh_failed');

/** A problem, which is logged if the service is to blame. */
const refused = (code: Answer, heals = 0, logs: readonly string[] = [code]): Difference => {
  return { answers: [code], logs, heals };
};

/** As it should be for a token that was never issued, but for the log. */
const GUESSED: Difference = { answers: ['token_unknown'], logs: ['guess_limiter_failed'] };

const ONCE: readonly Fault[] = ['failsOnce', 'damagedOnce'];
const DAMAGED: readonly Fault[] = ['cut', 'flipped'];
const UNREACHABLE = refused('storage_unreachable');
/** A warm isolate finds out behind its first answer. */
const FORGOTTEN: Difference = { answers: ['live', 'token_unknown'], heals: 15 };
const RECORD_LOGS = ['token_record_damaged'];
const RECORD_DAMAGED = refused('token_unknown', 15, RECORD_LOGS);

/** No request waits longer. */
const HANGING: Difference = { ...UNREACHABLE, waits: 5 };

/** A fresh isolate to which what it needs of the live release never comes. */
const GIVEN_UP: Difference = {
  answers: ['storage_unreachable', 'storage_unreachable', 'before'],
  waits: 5,
  logs: ['release_unreadable', 'storage_unreachable'],
  heals: 150,
};

/** What happens to each target, fault by fault. */
const TABLE: Readonly<Record<Target, readonly Case[]>> = {
  pointer: [
    { faults: ['slow'], fresh: { waits: 1.5 }, warm: FOLLOWED },
    {
      faults: ONCE,
      warm: FOLLOWED,
      note: 'Every read is tried twice.',
    },
    {
      faults: ['fails', ...DAMAGED, 'olderFormat', 'newerFormat'],
      fresh: UNREACHABLE,
      warm: NOT_FOLLOWED,
      note: 'Any command that writes mends a damaged pointer.',
    },
    {
      faults: ['hangsOnce'],
      fresh: { waits: 1 },
      warm: NOT_FOLLOWED,
      note: 'After a second another read begins, if a request waits for it.',
    },
    { faults: ['hangs'], fresh: HANGING, warm: NOT_FOLLOWED },
    {
      faults: ['missing'],
      fresh: refused('snapshot_missing'),
      warm: NOT_FOLLOWED,
      note: 'To a fresh isolate a new environment looks the same.',
    },
    {
      faults: ['namesNothing'],
      fresh: before(150, 'release_unreadable'),
      warm: before(150, 'refresh_failed'),
    },
    {
      faults: ['olderRelease', 'backAndForth'],
      fresh: before(30),
      warm: SERVED,
      note: 'KV may bring a late copy of the pointer. An isolate follows a lower number only when it has stood for five minutes.',
    },
  ],
  part: [
    { faults: ONCE, warm: FOLLOWED },
    {
      faults: ['fails', 'missing', ...DAMAGED],
      fresh: before(150, 'release_unreadable'),
      warm: before(150, 'refresh_failed'),
    },
    { faults: ['hangsOnce'], fresh: { waits: 1 }, warm: FOLLOWED },
    {
      faults: ['hangs'],
      fresh: GIVEN_UP,
      warm: before(150, 'refresh_failed'),
    },
  ],
  documents: [
    { faults: ONCE, warm: FOLLOWED },
    { faults: ['fails', 'missing', ...DAMAGED], fresh: before(150, 'release_unreadable') },
    { faults: ['hangsOnce'], fresh: { waits: 1 }, warm: { ...FOLLOWED, waits: 1 } },
    {
      faults: ['hangs'],
      fresh: GIVEN_UP,
      warm: { ...before(150, 'release_unreadable'), waits: 5 },
    },
  ],
  snapshots: [
    {
      faults: ['slow'],
      fresh: { waits: 4.5 },
      warm: { ...FOLLOWED, waits: 1.5 },
      note: 'A fresh isolate reads three times one after another.',
    },
    {
      faults: ['verySlow'],
      fresh: {
        answers: ['storage_unreachable', 'live'],
        waits: 5,
        logs: ['release_unreadable', 'storage_unreachable'],
        heals: null,
      },
      warm: { ...FOLLOWED, answers: ['before', 'before', 'live'], waits: 3 },
    },
    { faults: ['fails'], fresh: UNREACHABLE, warm: NOT_FOLLOWED },
    { faults: ['hangs'], fresh: HANGING, warm: NOT_FOLLOWED },
    {
      faults: ['fails'],
      request: 'health',
      fresh: UNREACHABLE,
      warm: before(30, 'last_run_unreadable', 'refresh_failed'),
      note: 'The answer names the release; `ranAt` is null.',
    },
  ],
  record: [
    {
      faults: ['slow'],
      fresh: { waits: 1.5 },
      warm: SERVED,
    },
    { faults: ONCE },
    {
      faults: ['fails'],
      fresh: UNREACHABLE,
      warm: { logs: ['token_read_failed'] },
      note: 'A record in memory serves for ten minutes after it was read; then its holder gets the 503 too.',
    },
    {
      faults: ['hangs'],
      fresh: HANGING,
      warm: { logs: ['token_read_failed'] },
      note: 'For ten minutes, as above. If the record is older than 45 seconds, a request waits up to a second for a new one; then none waits for half a minute.',
    },
    {
      faults: ['missing'],
      fresh: refused('token_unknown', 15, []),
      warm: FORGOTTEN,
    },
    {
      faults: [...DAMAGED, 'olderFormat', 'newerFormat'],
      fresh: RECORD_DAMAGED,
      warm: { ...FORGOTTEN, logs: RECORD_LOGS },
      note: 'A damaged record admits no caller. Issue another token.',
    },
  ],
  rotation: [
    {
      faults: [...DAMAGED, 'newerFormat'],
      fresh: RECORD_DAMAGED,
      warm: { ...FORGOTTEN, logs: RECORD_LOGS },
      note: 'Only a rotated token is refused; its successor works.',
    },
    {
      faults: ['missing'],
      note: 'It looks like a token that was never rotated: that token works on, until KV has the rotation again, unless it was revoked.',
    },
  ],
  everything: [
    {
      faults: ['fails'],
      fresh: UNREACHABLE,
      warm: { logs: ['refresh_failed', 'token_read_failed'] },
    },
    {
      faults: ['hangs'],
      fresh: HANGING,
      warm: { logs: ['refresh_failed', 'token_read_failed'] },
    },
  ],
  name: [
    { faults: ONCE, request: 'changes' },
    {
      faults: ['fails', ...DAMAGED, 'olderFormat', 'newerFormat'],
      request: 'changes',
      fresh: UNREACHABLE,
    },
    { faults: ['hangs'], request: 'changes', fresh: HANGING },
    {
      faults: ['missing'],
      request: 'changes',
      fresh: refused('release_gone', 30, []),
      note: 'The release seems to be no longer kept, so partners walk the whole list anew. An isolate remembers that for half a minute.',
    },
  ],
  compared: [
    { faults: ONCE, request: 'changes' },
    {
      faults: ['fails', 'missing', ...DAMAGED],
      request: 'changes',
      fresh: UNREACHABLE,
      warm: SERVED,
      note: 'What was compared stays in memory.',
    },
    { faults: ['hangs'], request: 'changes', fresh: HANGING, warm: SERVED },
  ],
  run: [
    {
      faults: ['fails', ...DAMAGED],
      request: 'health',
      fresh: { logs: ['last_run_unreadable'] },
      note: '`ranAt` is null.',
    },
    { faults: ['fails', ...DAMAGED], request: 'ranWithin', fresh: UNREACHABLE },
    { faults: ['missing'], request: 'ranWithin', fresh: refused('run_overdue', 30, []) },
  ],
  cache: [
    {
      faults: ['fails', 'cut'],
      fresh: { logs: ['snapshot_cache_unreadable'] },
      warm: { ...FOLLOWED, logs: ['snapshot_cache_unreadable'] },
      note: 'The bucket answers instead, and its answer is put into the cache.',
    },
    { faults: ['flipped'], warm: FOLLOWED },
    {
      faults: ['hangs'],
      fresh: { waits: 0.5, logs: ['snapshot_cache_slow'] },
      warm: { ...FOLLOWED, logs: ['snapshot_cache_slow'] },
      note: 'After 200 ms the bucket is asked instead, and for ten seconds the cache is not.',
    },
  ],
  limiter: [
    {
      faults: ['fails'],
      fresh: { logs: ['rate_limiter_failed'] },
    },
    {
      faults: ['hangs'],
      fresh: { waits: 0.5, logs: ['rate_limiter_failed'] },
    },
  ],
  guesses: [
    {
      faults: ['fails'],
      request: 'guess',
      fresh: GUESSED,
    },
    { faults: ['hangs'], request: 'guess', fresh: { ...GUESSED, waits: 0.5 } },
  ],
};

/** The cases of the table, each with its target. */
export const ROWS: readonly Row[] = (Object.keys(TABLE) as Target[]).flatMap((target) =>
  TABLE[target].map(({ fresh = {}, warm = fresh, ...each }) => {
    const seen = { fresh: { ...SERVED, ...fresh }, warm: { ...SERVED, ...warm } };
    return { target, request: 'list', ...each, ...seen };
  }),
);
