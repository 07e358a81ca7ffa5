/** What one run of the benchmark finds out: the content of `results.json`. */
import type { Regime } from '../regimes.ts';
import type { CaseName } from '../requests/request.ts';
import type { ContenderName } from '../server/configuration.ts';
import type { Percentiles, Quantiles, Spread } from './statistics.ts';

export interface Results {
  readonly environment: Environment;
  readonly sizes: readonly SizeResult[];
}

export interface Environment {
  readonly date: string;
  readonly commit: string;
  readonly machine: string;
  readonly cores: number;
  /** Bytes. */
  readonly memory: number;
  readonly system: string;
  readonly node: string;
  readonly workerd: string;
  readonly connections: number;
  readonly rounds: number;
  /** Of one contender in one case in one round. */
  readonly secondsPerRound: number;
  /** Of one contender, before all cases. Left out: there was a round of warm-up in each case alone. */
  readonly warmUpSeconds?: number;
  /** Milliseconds that a key of KV takes in the cold regime. */
  readonly latency: number;
}

/** Figures of one number of stores; null or empty is what was not measured. */
export interface SizeResult {
  readonly storeCount: number;
  /** Bytes of the release. */
  readonly releaseBytes: number;
  /** Microseconds of CPU for copying and sending a constant answer of 0.9 MB; null if unknown. */
  readonly yardstick: Spread | null;
  readonly cases: readonly CaseResult[];
  readonly orders: OrderResult | null;
  readonly cold: readonly ColdResult[];
  readonly crowd: CrowdResult | null;
  readonly memory: MemoryResult | null;
  readonly d1: readonly D1Result[];
  readonly publishing: PublishingResult | null;
  readonly changes: ChangesResult | null;
  readonly soak: SoakResult | null;
  /** What was not measured in the run that the environment is of, but in one of its own. */
  readonly apart?: Partial<Record<Regime, ApartMark>>;
}

/** Which run measured something. */
export type RunMark = Pick<Environment, 'date' | 'commit'>;

/** Which run measured a regime by itself. */
export interface ApartMark extends RunMark {
  /** As that of a size, taken in that run. Regimes that no bar on CPU is about have none. */
  readonly yardstick?: Spread | null;
}

/** A case under load, hot and whole. */
export interface CaseResult {
  readonly name: CaseName;
  readonly hot: RegimeResult | null;
  readonly whole: RegimeResult | null;
  /** Share of the limit whole, in shares of the limit hot. */
  readonly wholeAgainstHot: Spread | null;
}

export interface RegimeResult {
  readonly contenders: Partial<Record<ContenderName, Throughput>>;
  /** Throughput of the service in times of the others'. */
  readonly ratios: Partial<Record<ContenderName, Spread>>;
  /** Milliseconds of a request when nobody else asks, with KV far away. */
  readonly milliseconds: Percentiles;
  /** Parts and chunks that the service read from KV during the rounds. */
  readonly objectReads: number;
}

export interface Throughput {
  /** Requests. */
  readonly perSecond: Spread;
  /** Microseconds of CPU per request, all of the workerd process; null where it is not known. */
  readonly cpu: Spread | null;
  /** Of a body, on average. */
  readonly bytes: number;
}

/** Microseconds of CPU for a filtered page in an order of two keys; null where it is not known. */
export interface OrderResult {
  /** The order is made for this request. */
  readonly made: Spread | null;
  /** The order was asked before. */
  readonly held: Spread | null;
  /** What making it adds. */
  readonly added: Spread | null;
}

export interface ColdResult {
  readonly name: CaseName;
  /** The first request of an isolate. */
  readonly fresh: ColdFigures;
  /** The first request that needs documents, of an isolate that has its index. */
  readonly documents: ColdFigures;
}

export interface ColdFigures {
  readonly milliseconds: Percentiles;
  /** Latencies of KV that a request waits for one after another. */
  readonly steps: Spread;
  /** The same where no key is slow: what the bars are about, for no layout escapes slow keys. */
  readonly even: { readonly milliseconds: Percentiles; readonly steps: Spread };
  /** Milliseconds of CPU, all of the workerd process; KV is in another. Null if unknown. */
  readonly cpu: Spread | null;
  /** Medians of a request: reads single or in bulk, keys in them, bytes of chunks. */
  readonly operations: number;
  readonly keys: number;
  readonly chunkBytes: number;
}

export interface CrowdResult {
  readonly equal: readonly EqualCrowd[];
  readonly different: DifferentCrowd;
}

/** Fifty equal first requests at once, against one. */
export interface EqualCrowd {
  readonly name: CaseName;
  /** Milliseconds until all were answered; of one alone. */
  readonly together: Spread;
  readonly alone: Spread;
  readonly ratio: Spread;
  /** Keys read beyond those of one alone, at most. */
  readonly extraReads: number;
  /** Of those at once and of those alone. */
  readonly failed: number;
}

/** Fifty different first requests at once, against the slowest alone. */
export interface DifferentCrowd {
  readonly together: Spread;
  readonly slowestAlone: Spread;
  readonly ratio: Spread;
  /** Keys of each kind that were read more than once, at most. */
  readonly readAgain: Readonly<Record<'pointer' | 'token' | 'part' | 'chunk' | 'other', number>>;
  /** Of those at once and of those alone. */
  readonly failed: number;
}

export interface MemoryResult {
  readonly seconds: number;
  readonly requests: number;
  readonly failed: number;
  /** Looks at the memory. */
  readonly looks: number;
  /** The worst moment of each phase of the load. */
  readonly phases: readonly MemoryPhase[];
  /** Whether answers came from the new release, and from the old one again. */
  readonly followedPublication: boolean;
  readonly followedRollback: boolean;
}

export interface MemoryPhase {
  readonly title: string;
  /** Bytes of the isolate, garbage included: V8's heap, and contents of buffers. */
  readonly heap: number;
  readonly buffers: number;
}

/** Milliseconds against D1 whose queries take as long as a key of KV. */
export interface D1Result {
  readonly name: CaseName;
  /** The first request of an isolate, the same once more, another of the case. */
  readonly first: Rivalry;
  readonly second: Rivalry;
  readonly other: Rivalry;
}

export interface Rivalry {
  readonly ours: Spread;
  readonly d1: Spread;
  /** Milliseconds of the service in times of D1's. */
  readonly ratio: Spread;
}

/** What changed between two releases of which a hundredth differs. */
export interface ChangesResult {
  /** Number of changes. */
  readonly total: number;
  readonly first: readonly FirstChanges[];
  /** Microseconds of CPU of a page of 1,000, where the two were compared before. */
  readonly page: Spread | null;
}

/** The first request of an isolate. */
export interface FirstChanges {
  /** Changes on the page, at most. */
  readonly limit: number;
  readonly milliseconds: Percentiles;
  /** Milliseconds of CPU; null where it is not known. */
  readonly cpu: Spread | null;
  /** Keys of KV that were read. */
  readonly keys: number;
}

export interface PublishingResult {
  /** Seconds that `snapshot build` takes, start and validation included. */
  readonly buildSeconds: number;
  /** Values that a first publication to local KV writes; null where it was not tried. */
  readonly writes: number | null;
  /** Bytes of the release that go up after 1 % of the stores changed, as a share of all. */
  readonly changedShare: number;
}

/** A long time of mixed traffic while releases are turned in a circle, one a minute. */
export interface SoakResult {
  readonly minutes: number;
  /** Who ask at the same time; each pauses between two requests, so many milliseconds on average. */
  readonly callers: number;
  readonly pause: number;
  readonly requests: number;
  readonly failed: number;
  /** Of the first failed answers: what was asked, and what came. */
  readonly failures: readonly string[];
  /**
   * Of each minute with failed answers: milliseconds by which the stand-in for KV was late at the
   * most, beyond the delay that it was to have. Runs before it was noted have none.
   */
  readonly overtimes?: readonly number[];
  /** Releases put live, and those that answers came from. */
  readonly turns: number;
  readonly followed: number;
  /** At the end of each minute. */
  readonly held: readonly HeldMemory[];
  readonly milliseconds: Quantiles;
  readonly kinds: readonly SoakKindResult[];
  /** Milliseconds of CPU of a request, on average, all of the workerd process; null where it is not known. */
  readonly cpu: number | null;
  /** Threads of all programs of the machine that ran or waited for a core: median of all minutes. */
  readonly busyThreads: number;
}

/** Bytes that an isolate holds when nobody asks and garbage has been collected. */
export interface HeldMemory {
  readonly minute: number;
  readonly heap: number;
  readonly buffers: number;
}

export interface SoakKindResult {
  readonly title: string;
  readonly requests: number;
  readonly milliseconds: Quantiles;
}
