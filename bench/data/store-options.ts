/** Seed and languages of all stores of the benchmark. */
export const STORE_OPTIONS = { seed: 20_261_121, languages: 8 } as const;
