/** What of the benchmark can be chosen, beside the cases. */
import type { CaseName } from './requests/request.ts';

/** The sizes that bars are about. */
export const SMALL = 2_500;
export const LARGE = 100_000;

export const SIZES = [SMALL, LARGE].map(String);

export const REGIMES = ['load', 'cold', 'crowd', 'memory', 'd1', 'changes', 'publish'] as const;

export type Regime = (typeof REGIMES)[number];

/** How often each figure is taken. */
export const ROUNDS = 15;

export interface BenchOptions {
  readonly quick?: boolean;
  readonly against: string;
  readonly sizes?: readonly string[];
  readonly only?: readonly CaseName[];
  readonly regimes?: readonly Regime[];
  readonly rounds: number;
}
