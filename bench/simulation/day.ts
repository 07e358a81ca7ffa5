/** A day of the service at the edge, and the same day with D1: a simulation. */
import { drawArrivals } from './arrivals.ts';
import type { Costs, Kind } from './costs.ts';
import { D1 } from './d1.ts';
import { Service } from './service.ts';
import type { World } from './world.ts';

const DESIGNS = ['service', 'd1'] as const;
export type Design = (typeof DESIGNS)[number];

/** One answer, as each design gives it. */
export interface Answer {
  readonly kind: Kind;
  readonly place: number;
  /** Whether the isolate had answered nobody before. */
  readonly isFirst: boolean;
  readonly milliseconds: Readonly<Record<Design, number>>;
}

export interface DayResult {
  readonly answers: readonly Answer[];
  /** Seconds of CPU. */
  readonly cpu: Readonly<Record<Design, number>>;
  /** Keys of KV. */
  readonly kvReads: Readonly<Record<Design, number>>;
  readonly queries: number;
  /** Rows that lists of D1 go through; what searches go through is not counted. */
  readonly listedRows: number;
}

/** The same for the same seed. */
export function simulateDay(world: World, costs: Costs, seed: number): DayResult {
  const arrivals = drawArrivals(world, costs.storeCount, seed);
  const service = new Service(world, costs, seed);
  const d1 = new D1(world, costs, seed);
  const answers = arrivals.map((arrival): Answer => {
    const { kind, place } = arrival;
    const { isFirst, milliseconds } = service.answer(arrival);
    return {
      kind,
      place,
      isFirst,
      milliseconds: { service: milliseconds, d1: d1.answer(arrival) },
    };
  });
  return {
    answers,
    cpu: { service: service.cpu / 1_000, d1: d1.cpu / 1_000 },
    kvReads: { service: service.kv.reads, d1: d1.kv.reads },
    queries: d1.queries,
    listedRows: d1.listedRows,
  };
}
