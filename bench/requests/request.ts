/** A request of the benchmark, and the cases that requests are drawn for. */

import type { TokenName } from '../data/publisher.ts';

export interface BenchRequest {
  readonly case: CaseName;
  /** Path and query. */
  readonly path: string;
  /** Null: none is sent. */
  readonly token: TokenName | null;
}

/** The cases by name, as the tables have them. */
export const CASES = {
  get: 'get one store by id',
  'get-slug': 'get one store by slug',
  list: 'list 100 by id, whole stores',
  'list-fields': 'list 100 by id, five fields',
  'list-20': 'list 20 by id',
  names: 'list 100 by name',
  'names-20': 'list 20 by name',
  sorted: 'filter, sort by two keys, 20',
  'near-city': 'nearest 20 in 25 km, towns',
  'near-country': 'nearest 20 in 25 km, country',
  'near-wide': 'nearest 100 in 50 km',
  delivered: 'delivered here, 20',
  search: 'found by words, 20',
  area: 'area, open twice, hours, counted, 20',
  everything: 'every condition, sorted, 20',
  attributed: 'list 100 with attribution',
  'not-modified': 'not modified (304)',
  unauthorized: 'no valid token (401)',
} as const;

export type CaseName = keyof typeof CASES;

export const CASE_NAMES = Object.keys(CASES) as CaseName[];

/** Cases of conditions that D1 lacks: no column says which stores are open, or deliver to a point. */
const CONDITION_CASES: readonly CaseName[] = ['delivered', 'search', 'area', 'everything'];

/** Returns whether D1 can answer a case. */
export const isInD1 = (name: CaseName): boolean => !CONDITION_CASES.includes(name);

/**
 * Returns the status of the answers of a case. Requests that are answered with 304 are sent with
 * If-None-Match and the ETag of their answer.
 */
export function statusOf(name: CaseName): number {
  if (name === 'not-modified') return 304;
  return name === 'unauthorized' ? 401 : 200;
}
