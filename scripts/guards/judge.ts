/** Refuses a release of which the guards have found too much. */
import type { StoreName } from '../../src/snapshot/compared-stores.ts';
import { type Allowed, GUARD_NAMES, type Kind, ruleOf } from './table.ts';

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
  /** As JSON, shortened; null where nothing stands. */
  readonly before: string | null;
  readonly after: string | null;
}

/** What a guard found: so many stores of so many. */
export interface Finding {
  /** Of the guard. */
  readonly name: string;
  readonly kind: Kind;
  readonly count: number;
  readonly of: number;
  readonly examples: readonly Example[];
}

/** What was found against the live release, against the release of a day ago, or on a first publication. */
export interface FindingAgainst extends Finding {
  readonly against: 'live' | 'day' | 'first';
}

/** Why a release should not go live. */
export type Refusal = ReturnType<typeof judge>[number];

/**
 * Returns what is wrong with a release: each finding of which there is too much, where that is worst. Its `share` is
 * `count` in percent of `of`.
 */
export function judge(findings: readonly FindingAgainst[], allowed: Allowed) {
  const found = findings.flatMap((each) => {
    const { kind, count, of, against } = each;
    const isRelevant = of >= MIN_FOR_SHARES || (kind !== 'change' && count >= of);
    if (!isRelevant || count <= MAX_FEW) return [];
    const { would, limit: usual } = ruleOf(each);
    // A limit that is given does not lower the limit of a day.
    const minLimit = against !== 'day' ? 0 : kind === 'wrong' ? usual : IN_A_DAY * usual;
    const limit = Math.max(minLimit, allowed.get(each.name) ?? usual);
    return [{ ...each, would, limit, minLimit, share: (100 * count) / of }];
  });
  found.sort((a, b) => b.share - a.share);
  const refused = found.filter(({ share, limit }) => share > limit);
  const worst = new Map(refused.toReversed().map((each) => [each.would, each]));
  const refusals = [...worst.values()].map(({ minLimit: _, ...refusal }) => {
    const { name, examples } = refusal;
    // A limit that is given holds for all that the guard looks at, also where it is below the usual one.
    const worstFinding =
      found.find((each) => each.name === name && each.share > each.minLimit) ?? refusal;
    /** The least percent that lets all pass that the guard refuses. */
    const enough = Math.ceil(worstFinding.share);
    return { ...refusal, examples: examples.slice(0, MAX_EXAMPLES), enough };
  });
  return refusals.sort((a, b) => GUARD_NAMES.indexOf(a.name) - GUARD_NAMES.indexOf(b.name));
}
