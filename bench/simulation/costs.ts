/**
 * What a request costs, as the benchmark has measured it; the number of D1's queries is read off its
 * app.
 */
import type { Regime } from '../regimes.ts';
import type { Results, RunMark, SizeResult } from '../report/results.ts';
import type { CaseName } from '../requests/request.ts';

/** Cases that stand for the three kinds of partners. */
export const KINDS = {
  map: ['near-city', 'near-wide'],
  lookUp: ['get', 'get-slug'],
  copy: ['list'],
} as const satisfies Record<string, readonly CaseName[]>;
export type Kind = keyof typeof KINDS;
export type DayCase = (typeof KINDS)[Kind][number];

export interface CaseCosts {
  /** Index parts and chunks that a request needs. */
  readonly parts: number;
  readonly chunks: number;
  /** Milliseconds of CPU: an isolate's first request, one that reads all its chunks, one that reads none. */
  readonly freshCpu: number;
  readonly readingCpu: number;
  readonly heldCpu: number;
  /** Of D1: queries one after another, milliseconds beyond their delays, milliseconds of CPU. */
  readonly queries: number;
  readonly beyondDelays: number;
  readonly d1Cpu: number;
}

export interface Costs {
  readonly storeCount: number;
  readonly cases: Readonly<Record<DayCase, CaseCosts>>;
  readonly releaseBytes: number;
  /** Mean bytes of a chunk, and how many there are. */
  readonly chunkBytes: number;
  readonly chunks: number;
  /** Share of the chunks that change with a publication. */
  readonly changedShare: number;
}

/** As `contenders/d1.ts` asks: a search wants the places first, then the documents. */
const QUERIES: Readonly<Record<DayCase, number>> = {
  ...{ 'near-city': 2, 'near-wide': 2 },
  ...{ get: 1, 'get-slug': 1, list: 1 },
};

/** Pointer and token. */
const OTHER_KEYS = 2;

/** Regimes with figures that a day is made of. */
const REGIMES_OF_DAY: readonly Regime[] = ['hot', 'cold', 'd1', 'publish'];

const DAY_CASES = Object.values(KINDS).flat();

/**
 * @param latency milliseconds of a query when D1 was measured
 * @throws Error when something is not in the results
 */
export function costsOf(size: SizeResult, latency: number): Costs {
  const cases = Object.fromEntries(DAY_CASES.map((name) => [name, caseCosts(size, name, latency)]));
  const pages = known(
    size.cold.find(({ name }) => name === 'list'),
    'cold documents',
  ).documents;
  const chunkBytes = pages.chunkBytes / pages.keys;
  return {
    storeCount: size.storeCount,
    cases: cases as Costs['cases'],
    releaseBytes: size.releaseBytes,
    chunkBytes,
    chunks: Math.round(size.releaseBytes / chunkBytes),
    changedShare: known(size.publishing, 'what a publication changes').changedShare,
  };
}

/** The runs that costs were measured in: the last full one, and those that measured a part by itself. */
export function runsOfCosts({ environment: { date, commit }, sizes }: Results): RunMark[] {
  const parts = sizes.flatMap(({ apart = {} }) =>
    REGIMES_OF_DAY.flatMap((regime) => apart[regime] ?? []),
  );
  const runs = [{ date, commit }, ...parts];
  return [...new Map(runs.map((run) => [run.commit, run])).values()];
}

function caseCosts(size: SizeResult, name: DayCase, latency: number): CaseCosts {
  const { fresh, documents } = known(
    size.cold.find((result) => result.name === name),
    `${name}, cold`,
  );
  const hot = known(size.cases.find((result) => result.name === name)?.hot, `${name}, hot`);
  const against = known(
    size.d1.find((result) => result.name === name),
    `${name}, against D1`,
  );
  const milliseconds = (microseconds: number) => microseconds / 1_000;
  const queries = QUERIES[name];
  return {
    parts: Math.round(fresh.keys - documents.keys) - OTHER_KEYS,
    chunks: Math.round(documents.keys),
    freshCpu: known(fresh.cpu, `${name}, cold CPU`).median,
    readingCpu: known(documents.cpu, `${name}, cold CPU`).median,
    heldCpu: milliseconds(known(hot.contenders.ours?.cpu, `${name}, CPU`).median),
    queries,
    beyondDelays: Math.max(0, against.second.d1.median - queries * latency),
    d1Cpu: milliseconds(known(hot.contenders.d1?.cpu, `${name}, CPU of D1`).median),
  };
}

function known<Value>(value: Value | null | undefined, what: string): Value {
  if (value === null || value === undefined) {
    throw new Error(`bench/results.json has nothing of ${what}: run npm run bench`);
  }
  return value;
}
