/** Refuses a release of which the guards have found too much. */
import type { StoreName } from '../../src/snapshot/compared-stores.ts';
import { GUARD_NAMES } from './table.ts';

/** Below so many stores, only what all of them lose or have wrong is refused. */
const MIN_FOR_SHARES = 20;

/** What is so of at most this many stores is never refused. */
const MAX_FEW = 2;

/** How many times as many stores may lose or change something within a day. */
const IN_A_DAY = 2;

/** Examples shown of each refusal. */
const MAX_EXAMPLES = 2;

/** A store, with what stood there and what would stand there. */
export interface Example extends StoreName {
  /** Of the value, dotted; absent where the guard itself says what it is. */
  readonly path?: string;
  readonly before: string;
  readonly after: string;
}

/** What a guard found: so many stores of so many. */
export interface Finding {
  /** Of the guard. */
  readonly name: string;
  readonly kind: 'loss' | 'change' | 'wrong';
  /** What becomes of the stores, after `3 of 10 stores would`. */
  readonly would: string;
  /** How many percent usually may. */
  readonly limit: number;
  readonly count: number;
  readonly of: number;
  readonly examples: readonly Example[];
}

/** How far guards are allowed to go, in percent; infinity: anything. */
export type Allowed = ReadonlyMap<string, number>;

/** What was found against a release that was live before. */
export interface Base {
  /** `first`: nothing that was live before can be compared with. */
  readonly against: 'live' | 'day' | 'first';
  readonly findings: readonly Finding[];
  /** Guards that are not applied: a change over their limit was published since. */
  readonly exempt: ReadonlySet<string>;
}

/** Why a release should not go live. */
export interface Refusal extends Finding {
  readonly against: Base['against'];
  /** `count` in percent of `of`. */
  readonly share: number;
  /** The least percent that lets all pass that the guard refuses. */
  readonly enough: number;
}

/** Returns what is wrong with a release: each finding of which there is too much, where that is worst. */
export function judge(bases: readonly Base[], allowed: Allowed): Refusal[] {
  const found = bases.flatMap(({ against, findings, exempt }) =>
    findings
      .filter(({ name }) => !exempt.has(name))
      .map((finding) => ({ ...finding, against, share: percentOf(finding) })),
  );
  const refuse = (limits: Allowed) =>
    found.flatMap((each) => {
      const limit = limitOf(each, each.against, limits);
      return isTooMuch(each, limit) ? [{ ...each, limit }] : [];
    });
  // A limit that is given holds for all that the guard looks at, also where it is below the usual one.
  const judged = refuse(new Map(found.map(({ name }) => [name, 0])));
  const named = Map.groupBy(refuse(allowed), ({ would }) => would);
  const refusals = [...named.values()].flatMap((same) => {
    const [worst] = same.toSorted((a, b) => b.share - a.share);
    if (!worst) return [];
    const shares = judged.flatMap(({ name, share }) => (name === worst.name ? [share] : []));
    const examples = worst.examples.slice(0, MAX_EXAMPLES);
    return [{ ...worst, examples, enough: Math.ceil(Math.max(...shares)) }];
  });
  return refusals.sort((a, b) => GUARD_NAMES.indexOf(a.name) - GUARD_NAMES.indexOf(b.name));
}

function limitOf({ name, limit, kind }: Finding, against: Base['against'], allowed: Allowed) {
  const given = allowed.get(name);
  if (against !== 'day') return given ?? limit;
  return Math.max(given ?? 0, kind === 'wrong' ? limit : IN_A_DAY * limit);
}

function isTooMuch({ kind, count, of }: Finding, limit: number): boolean {
  const isRelevant = of >= MIN_FOR_SHARES || (kind !== 'change' && count >= of);
  // Equal is not more, whatever rounding makes of it.
  return isRelevant && count > MAX_FEW && percentOf({ count, of }) - limit > 1e-9;
}

function percentOf({ count, of }: Pick<Finding, 'count' | 'of'>): number {
  return of === 0 ? 0 : (100 * count) / of;
}
