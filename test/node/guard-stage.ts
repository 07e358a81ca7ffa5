/** Releases as guards compare them, made of stores without compiling those. */

import type { Figures } from '../../scripts/compile/count-figures.ts';
import { countFigures } from '../../scripts/compile/count-figures.ts';
import type { SourceStore } from '../../scripts/compile/source-store.ts';
import { storeFacts } from '../../scripts/compile/store-facts.ts';
import { DEFAULT_LIMITS } from '../../scripts/guards/guards.ts';
import { type Base, judge, type Refusal } from '../../scripts/guards/judge.ts';
import { measureChange, type PlacedStores } from '../../scripts/guards/measure-change.ts';
import { ComparedStores, writeComparedStores } from '../../src/snapshot/compared-stores.ts';
import { readIdTable, writeIdTable } from '../../src/snapshot/id-table.ts';

export interface SeenRelease extends PlacedStores {
  readonly figures: Figures;
}

type Facts = ReturnType<typeof storeFacts>;

const known = new WeakMap<SourceStore, Facts>();
/** A fingerprint for each store object: one that changed is another object. */
let lastFingerprint = 0n;

/** The release that these stores would compile to. Stores that are equal must be one object. */
export function seen(stores: readonly SourceStore[]): SeenRelease {
  const ordered = stores.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const facts = ordered.map(factsOf);
  const ids = readIdTable(writeIdTable(ordered.map(({ id }) => id)).buffer, ordered.length);
  return {
    stores: new ComparedStores(writeComparedStores(facts).buffer, ids),
    points: {
      lat: Float64Array.from(facts, ({ coordinates }) => coordinates[0] ?? Number.NaN),
      lng: Float64Array.from(facts, ({ coordinates }) => coordinates[1] ?? Number.NaN),
    },
    figures: countFigures(facts),
  };
}

export function baseOf(
  against: Base['against'],
  before: SeenRelease,
  after: SeenRelease,
  exempt: Base['exempt'] = new Set(),
): Base {
  const change = measureChange(before, after);
  return { against, release: against, change, figures: before.figures, exempt };
}

/** What the guards say of `next`, after `live` and, a day ago, `dayAgo`; null: nothing was live. */
export function judged(
  next: readonly SourceStore[],
  live: readonly SourceStore[] | null,
  dayAgo: readonly SourceStore[] | null = null,
): Refusal[] {
  const after = seen(next);
  const bases = [
    ...(live ? [baseOf('live', seen(live), after)] : []),
    ...(dayAgo ? [baseOf('day', seen(dayAgo), after)] : []),
  ];
  return judge(after.figures, bases, DEFAULT_LIMITS);
}

/** `code against` of each refusal. */
export const codesOf = (refusals: readonly Refusal[]) =>
  refusals.map(({ code, against }) => `${code} ${against}`);

function factsOf(store: SourceStore): Facts {
  let facts = known.get(store);
  if (!facts) {
    const fingerprint = new Uint8Array(BigUint64Array.of(++lastFingerprint).buffer);
    facts = storeFacts(store, { spoolOffset: 0, recordLength: 0, fingerprint });
    known.set(store, facts);
  }
  return facts;
}
