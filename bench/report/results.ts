/** What one run of the benchmark finds out: the content of `results.json`. */
import type { CaseName } from '../requests/request.ts';
import type { ContenderName } from '../server/contender.ts';
import type { Spread } from './statistics.ts';

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
}

export interface SizeResult {
  readonly storeCount: number;
  /** Bytes of the release. */
  readonly releaseBytes: number;
  readonly cases: readonly CaseResult[];
  readonly costs: readonly CostResult[];
  readonly firstRequests: readonly FirstRequestResult[];
  readonly load: LoadResult;
  readonly publishing: PublishingResult | null;
}

export interface CaseResult {
  readonly name: CaseName;
  readonly title: string;
  readonly contenders: Partial<Record<ContenderName, Throughput>>;
  /** Throughput of the service in times of the others'. */
  readonly ratios: Partial<Record<ContenderName, Spread>>;
}

export interface Throughput {
  /** Requests. */
  readonly perSecond: Spread;
  /** Microseconds of CPU per request, all of the workerd process; null where it is not known. */
  readonly cpu: Spread | null;
  /** Of a body, on average. */
  readonly bytes: number;
}

/** What a request costs the service. */
export interface CostResult {
  readonly name: CaseName;
  readonly title: string;
  /** Bytes allocated on V8's heap per request. */
  readonly heapBytes: number;
  /** Values read from KV by the requests of the case, each once, in a fresh isolate. */
  readonly coldReads: number;
  /** The same, once more. */
  readonly warmReads: number;
  readonly requests: number;
}

export interface FirstRequestResult {
  readonly title: string;
  /** Milliseconds of CPU, all of the workerd process; KV is in another. Null if unknown. */
  readonly cpu: Spread | null;
  readonly milliseconds: Spread;
}

/** A mixed load that touches every store in every language. */
export interface LoadResult {
  readonly seconds: number;
  readonly requests: number;
  readonly kvReads: number;
  /** Bytes of the isolate at the worst moment looked at: V8's heap, and contents of buffers. */
  readonly peak: IsolateMemory;
  /** The same after the load, without garbage. */
  readonly held: IsolateMemory;
}

export interface IsolateMemory {
  readonly heap: number;
  readonly buffers: number;
}

export interface PublishingResult {
  /** Seconds that `snapshot build` takes, start and validation included. */
  readonly buildSeconds: number;
  readonly publishSeconds: number;
  readonly publishUnchangedSeconds: number;
  /** Bytes of the release that go up after 1 % of the stores changed, as a share of all. */
  readonly changedShare: number;
}
