/** The requests of the soak: all cases of the benchmark, and what partners with a copy ask. */
import type { Random } from '../../fixtures/generator/random.ts';
import { CHANGES_PATH, LIST_PATH } from '../../src/http/paths.ts';
import type { StoreFacts } from '../data/store-facts.ts';
import { drawRequest } from './draw-request.ts';
import type { RequestWriter } from './prepare-requests.ts';
import { CASE_NAMES, CASES, type CaseName, isCaseName, statusOf } from './request.ts';

const COPYING = {
  empty: 'an empty list, for the release',
  walk: 'list 100 after an id, whole stores',
  changes: '1,000 changes since a release',
} as const;

export type SoakKind = CaseName | keyof typeof COPYING;

export const SOAK_KINDS: readonly SoakKind[] = [
  ...CASE_NAMES,
  ...(Object.keys(COPYING) as (keyof typeof COPYING)[]),
];

export function titleOf(kind: SoakKind): string {
  return isCaseName(kind) ? CASES[kind] : COPYING[kind];
}

/** A request, and what answers it well. */
export interface SoakRequest {
  readonly bytes: Uint8Array;
  readonly statuses: readonly number[];
  /** A 200 with a shorter body cannot be the whole answer. */
  readonly leastBytes: number;
  /** The condition by which the answer with this entity tag is not sent again, if there is one. */
  readonly conditional: ((tag: string) => Uint8Array) | null;
}

const OK = 200;
const NOT_MODIFIED = 304;

/** Stores of the generator may lie anywhere: the last ids have fewer than a page after them. */
const LEAST_PAGE_BYTES = 10;
const LEAST_CHANGES_BYTES = 50;

/** @param releases names of releases that answers came from */
export function drawSoakRequest(
  kind: SoakKind,
  random: Random,
  facts: StoreFacts,
  writer: RequestWriter,
  releases: readonly string[],
): SoakRequest {
  if (isCaseName(kind)) return drawCase(kind, random, facts, writer);
  const ask = (path: string, leastBytes: number): SoakRequest => {
    const bytes = writer.writePath(path);
    return { bytes, statuses: [OK], leastBytes, conditional: null };
  };
  const since = kind === 'changes' && releases.length > 0 ? random.pick(releases) : null;
  if (since) {
    return ask(`${CHANGES_PATH}?since=${since}&limit=1000`, LEAST_CHANGES_BYTES);
  }
  if (kind === 'walk') {
    return ask(`${LIST_PATH}?after=${random.pick(facts.ids)}&limit=100`, LEAST_PAGE_BYTES);
  }
  return ask(`${LIST_PATH}?limit=0`, LEAST_PAGE_BYTES);
}

function drawCase(
  name: CaseName,
  random: Random,
  facts: StoreFacts,
  writer: RequestWriter,
): SoakRequest {
  const request = drawRequest(name, random, facts);
  const { conditional, leastBytes } = request;
  return {
    bytes: writer.writeRequest(request),
    statuses: [conditional ? OK : statusOf(name)],
    leastBytes,
    conditional: conditional ? (tag) => writer.writeRequest(request, tag) : null,
  };
}

/** Whether an answer is good to the request, or to the same one with a condition. */
export function isGood(
  { statuses, leastBytes, conditional }: SoakRequest,
  { status, bytes }: { readonly status: number; readonly bytes: number },
  hasCondition: boolean,
): boolean {
  // A release may have gone live in between, so that the tag is no longer the answer's.
  if (hasCondition && conditional && status === NOT_MODIFIED) return true;
  return statuses.includes(status) && (status !== OK || bytes >= leastBytes);
}
