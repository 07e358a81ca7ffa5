/** The parts of the benchmark, by name. */

/** What a run measures when it is not told what. */
export const USUAL_REGIMES = [
  'hot',
  'whole',
  'cold',
  'crowd',
  'memory',
  'd1',
  'publish',
  'changes',
] as const;

/** `soak` takes half an hour at each size. */
export const REGIMES = [...USUAL_REGIMES, 'soak'] as const;
export type Regime = (typeof REGIMES)[number];
