/**
 * What each failure of storage looks like from outside. `faults.worker.test.ts` makes every row happen, in a
 * warm isolate and in a fresh one; `docs/failures.md` is written from it (`failures-page.ts`).
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
  documents: 'Documents',
  snapshots: 'All snapshot storage',
  record: "A token's record",
  rotation: "A token's rotation",
  everything: 'All storage, tokens included',
  name: 'The name of a kept release, for `changes`',
  compared: 'What `changes` compares',
  run: 'When publishing last ran',
  cache: "The place's cache in front of R2",
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
  /** Events in the log, those of requests aside. */
  readonly logs: readonly string[];
  /**
   * Seconds from when storage is well again within which an answer is of the live release, with a
   * request every ten seconds: 0 for the next one. Null where answers are of it while the fault lasts.
   */
  readonly heals: number | null;
}

export interface Row {
  readonly target: Target;
  /** All of them look the same. */
  readonly faults: readonly Fault[];
  readonly request: keyof typeof REQUESTS;
  /** An isolate that has nothing in memory when the fault begins. */
  readonly fresh: Seen;
  /**
   * One that has answered the same request before, and is due to look at what the fault hits: a new
   * release went live half a minute ago; a token's record is a minute old.
   */
  readonly warm: Seen;
  /** What the manual says besides. */
  readonly note?: string;
}

/** Nothing is noticed. */
const SERVED: Seen = { answers: ['live'], waits: 0, logs: [], heals: null };

/** A warm isolate takes the new release up behind its first answer. */
const FOLLOWED: Seen = { ...SERVED, answers: ['before', 'live'] };

/** The release before answers, and what is wrong is logged. */
const before = (heals: number, ...logs: string[]): Seen => ({
  answers: ['before'],
  waits: 0,
  logs,
  heals,
});

/** A problem, which is logged if the service is to blame. */
const refused = (code: Answer, heals = 0, logs: readonly string[] = [code]): Seen => ({
  answers: [code],
  waits: 0,
  logs,
  heals,
});

/** As it should be for a token that was never issued, but for the log. */
const GUESSED: Seen = {
  answers: ['token_unknown'],
  waits: 0,
  logs: ['guess_limiter_failed'],
  heals: null,
};

const DAMAGED: readonly Fault[] = ['cut', 'flipped'];
const UNREACHABLE = refused('storage_unreachable');

/** No request waits longer. */
const HANGING: Seen = { ...UNREACHABLE, waits: 5 };

export const ROWS: readonly Row[] = [
  {
    target: 'pointer',
    faults: ['slow'],
    request: 'list',
    fresh: { ...SERVED, waits: 1.5 },
    warm: FOLLOWED,
  },
  {
    target: 'pointer',
    faults: ['failsOnce', 'damagedOnce'],
    request: 'list',
    fresh: SERVED,
    warm: FOLLOWED,
    note: 'Every read is tried twice.',
  },
  {
    target: 'pointer',
    faults: ['fails', ...DAMAGED, 'olderFormat', 'newerFormat'],
    request: 'list',
    fresh: UNREACHABLE,
    warm: before(30, 'refresh_failed'),
    note: 'Warm isolates go on with what they have, for as long as it takes. `snapshot list`, or any command that writes, writes a damaged pointer anew.',
  },
  {
    target: 'pointer',
    faults: ['hangsOnce'],
    request: 'list',
    fresh: { ...SERVED, waits: 1 },
    warm: before(30, 'refresh_failed'),
    note: 'Another read is begun beside one that takes a second, but not for a look that no request waits for.',
  },
  {
    target: 'pointer',
    faults: ['hangs'],
    request: 'list',
    fresh: HANGING,
    warm: before(30, 'refresh_failed'),
  },
  {
    target: 'pointer',
    faults: ['missing'],
    request: 'list',
    fresh: refused('snapshot_missing'),
    warm: before(30, 'refresh_failed'),
    note: 'An environment to which nothing was published looks the same to a fresh isolate.',
  },
  {
    target: 'pointer',
    faults: ['namesNothing'],
    request: 'list',
    fresh: before(150, 'release_unreadable'),
    warm: before(150, 'refresh_failed'),
  },
  {
    target: 'pointer',
    faults: ['olderRelease', 'backAndForth'],
    request: 'list',
    fresh: before(30),
    warm: SERVED,
    note: 'KV may bring a late copy of the pointer. An isolate follows a lower number only when it has stood for five minutes.',
  },
  {
    target: 'part',
    faults: ['failsOnce', 'damagedOnce'],
    request: 'list',
    fresh: SERVED,
    warm: FOLLOWED,
  },
  {
    target: 'part',
    faults: ['fails', 'missing', ...DAMAGED, 'olderFormat', 'newerFormat'],
    request: 'list',
    fresh: before(150, 'release_unreadable'),
    warm: before(150, 'refresh_failed'),
    note: 'A release that could not be read is tried again after two minutes.',
  },
  {
    target: 'part',
    faults: ['hangsOnce'],
    request: 'list',
    fresh: { ...SERVED, waits: 1 },
    warm: FOLLOWED,
  },
  {
    target: 'part',
    faults: ['hangs'],
    request: 'list',
    fresh: {
      answers: ['storage_unreachable', 'storage_unreachable', 'before'],
      waits: 5,
      logs: ['release_unreadable', 'storage_unreachable'],
      heals: 150,
    },
    warm: before(150, 'refresh_failed'),
    note: 'A fresh isolate gives the live release a second chance, for where storage is slow the one before would be as slow to read.',
  },
  {
    target: 'documents',
    faults: ['failsOnce', 'damagedOnce'],
    request: 'list',
    fresh: SERVED,
    warm: FOLLOWED,
  },
  {
    target: 'documents',
    faults: ['fails', 'missing', ...DAMAGED],
    request: 'list',
    fresh: before(150, 'release_unreadable'),
    warm: before(150, 'release_unreadable'),
  },
  {
    target: 'documents',
    faults: ['hangsOnce'],
    request: 'list',
    fresh: { ...SERVED, waits: 1 },
    warm: { ...FOLLOWED, waits: 1 },
  },
  {
    target: 'documents',
    faults: ['hangs'],
    request: 'list',
    fresh: {
      answers: ['storage_unreachable', 'storage_unreachable', 'before'],
      waits: 5,
      logs: ['release_unreadable', 'storage_unreachable'],
      heals: 150,
    },
    warm: { ...before(150, 'release_unreadable'), waits: 5 },
  },
  {
    target: 'snapshots',
    faults: ['slow'],
    request: 'list',
    fresh: { ...SERVED, waits: 4.5 },
    warm: { ...FOLLOWED, waits: 1.5 },
    note: 'A fresh isolate reads three times one after another.',
  },
  {
    target: 'snapshots',
    faults: ['verySlow'],
    request: 'list',
    fresh: {
      answers: ['storage_unreachable', 'live'],
      waits: 5,
      logs: ['release_unreadable', 'storage_unreachable'],
      heals: null,
    },
    warm: { ...FOLLOWED, answers: ['before', 'before', 'live'], waits: 3 },
    note: 'What comes when no request waits any more is kept for the next one.',
  },
  {
    target: 'snapshots',
    faults: ['fails'],
    request: 'list',
    fresh: UNREACHABLE,
    warm: before(30, 'refresh_failed'),
  },
  {
    target: 'snapshots',
    faults: ['hangs'],
    request: 'list',
    fresh: HANGING,
    warm: before(30, 'refresh_failed'),
  },
  {
    target: 'snapshots',
    faults: ['fails'],
    request: 'health',
    fresh: UNREACHABLE,
    warm: before(30, 'last_run_unreadable', 'refresh_failed'),
    note: 'The release is told, and `ranAt` is null.',
  },
  {
    target: 'record',
    faults: ['slow'],
    request: 'list',
    fresh: { ...SERVED, waits: 1.5 },
    warm: { ...SERVED, waits: 1, logs: ['token_read_failed'] },
    note: 'Whose record is in memory waits a second at most, five where the record is older than 90 seconds, and not at all for half a minute after.',
  },
  {
    target: 'record',
    faults: ['failsOnce', 'damagedOnce'],
    request: 'list',
    fresh: SERVED,
    warm: SERVED,
  },
  {
    target: 'record',
    faults: ['fails'],
    request: 'list',
    fresh: UNREACHABLE,
    warm: { ...SERVED, logs: ['token_read_failed'] },
    note: 'A record in memory serves on for ten minutes from when it was read, then its holder gets the 503 too.',
  },
  {
    target: 'record',
    faults: ['hangs'],
    request: 'list',
    fresh: HANGING,
    warm: { ...SERVED, waits: 1, logs: ['token_read_failed'] },
    note: 'For ten minutes, as above.',
  },
  {
    target: 'record',
    faults: ['missing'],
    request: 'list',
    fresh: refused('token_unknown', 15, []),
    warm: refused('token_unknown', 15, []),
    note: 'KV is not asked again for 15 seconds.',
  },
  {
    target: 'record',
    faults: [...DAMAGED, 'olderFormat', 'newerFormat'],
    request: 'list',
    fresh: refused('token_unknown', 15, ['token_record_damaged']),
    warm: refused('token_unknown', 15, ['token_record_damaged']),
    note: 'A damaged record admits no caller. Issue another token: its secret is not known here.',
  },
  {
    target: 'rotation',
    faults: [...DAMAGED, 'newerFormat'],
    request: 'list',
    fresh: refused('token_unknown', 15, ['token_record_damaged']),
    warm: refused('token_unknown', 15, ['token_record_damaged']),
    note: 'This hits a token that was rotated; the one that has replaced it works.',
  },
  {
    target: 'rotation',
    faults: ['missing'],
    request: 'list',
    fresh: SERVED,
    warm: SERVED,
    note: 'It looks like a token that was never rotated: that token works on, until KV has the rotation again, unless it was revoked.',
  },
  {
    target: 'everything',
    faults: ['fails'],
    request: 'list',
    fresh: UNREACHABLE,
    warm: { ...SERVED, logs: ['refresh_failed', 'token_read_failed'] },
    note: 'Tokens in memory work for ten minutes; stores in memory are served for as long as it takes.',
  },
  {
    target: 'everything',
    faults: ['hangs'],
    request: 'list',
    fresh: HANGING,
    warm: { ...SERVED, waits: 1, logs: ['refresh_failed', 'token_read_failed'] },
  },
  {
    target: 'name',
    faults: ['failsOnce', 'damagedOnce'],
    request: 'changes',
    fresh: SERVED,
    warm: SERVED,
  },
  {
    target: 'name',
    faults: ['fails', ...DAMAGED, 'olderFormat', 'newerFormat'],
    request: 'changes',
    fresh: UNREACHABLE,
    warm: UNREACHABLE,
  },
  {
    target: 'name',
    faults: ['hangs'],
    request: 'changes',
    fresh: HANGING,
    warm: HANGING,
  },
  {
    target: 'name',
    faults: ['missing'],
    request: 'changes',
    fresh: refused('release_gone', 30, []),
    warm: refused('release_gone', 30, []),
    note: 'As if the release were no longer kept: partners walk the whole list anew. An isolate remembers it for half a minute.',
  },
  {
    target: 'compared',
    faults: ['failsOnce', 'damagedOnce'],
    request: 'changes',
    fresh: SERVED,
    warm: SERVED,
  },
  {
    target: 'compared',
    faults: ['fails', 'missing', ...DAMAGED],
    request: 'changes',
    fresh: UNREACHABLE,
    warm: SERVED,
    note: 'What was compared stays in memory.',
  },
  {
    target: 'compared',
    faults: ['hangs'],
    request: 'changes',
    fresh: HANGING,
    warm: SERVED,
  },
  {
    target: 'run',
    faults: ['fails', ...DAMAGED],
    request: 'health',
    fresh: { ...SERVED, logs: ['last_run_unreadable'] },
    warm: { ...SERVED, logs: ['last_run_unreadable'] },
    note: '`ranAt` is null.',
  },
  {
    target: 'run',
    faults: ['fails', ...DAMAGED],
    request: 'ranWithin',
    fresh: UNREACHABLE,
    warm: UNREACHABLE,
  },
  {
    target: 'run',
    faults: ['missing'],
    request: 'ranWithin',
    fresh: refused('run_overdue', 30, []),
    warm: refused('run_overdue', 30, []),
  },
  {
    target: 'cache',
    faults: ['fails', 'cut'],
    request: 'list',
    fresh: { ...SERVED, logs: ['snapshot_cache_unreadable'] },
    warm: { ...FOLLOWED, logs: ['snapshot_cache_unreadable'] },
    note: 'The bucket is asked, and what it brings is put into the cache.',
  },
  {
    target: 'cache',
    faults: ['flipped'],
    request: 'list',
    fresh: SERVED,
    warm: FOLLOWED,
  },
  {
    target: 'cache',
    faults: ['hangs'],
    request: 'list',
    fresh: { ...SERVED, waits: 0.5, logs: ['snapshot_cache_slow'] },
    warm: { ...FOLLOWED, logs: ['snapshot_cache_slow'] },
    note: 'After 200 ms the bucket is asked, and the cache left alone for ten seconds.',
  },
  {
    target: 'limiter',
    faults: ['fails'],
    request: 'list',
    fresh: { ...SERVED, logs: ['rate_limiter_failed'] },
    warm: { ...SERVED, logs: ['rate_limiter_failed'] },
    note: 'No caller is limited meanwhile.',
  },
  {
    target: 'limiter',
    faults: ['hangs'],
    request: 'list',
    fresh: { ...SERVED, waits: 0.5, logs: ['rate_limiter_failed'] },
    warm: { ...SERVED, waits: 0.5, logs: ['rate_limiter_failed'] },
    note: 'It is given half a second.',
  },
  {
    target: 'guesses',
    faults: ['fails'],
    request: 'guess',
    fresh: GUESSED,
    warm: GUESSED,
    note: 'It is looked up without being counted.',
  },
  {
    target: 'guesses',
    faults: ['hangs'],
    request: 'guess',
    fresh: { ...GUESSED, waits: 0.5 },
    warm: { ...GUESSED, waits: 0.5 },
  },
];
