/** What `snapshot view` serves beside the stores: which snapshots they are, and how two differ. */
import type { FoundStore, Point } from './found-store.ts';
import type { Change } from './state.ts';

export interface SnapshotFacts {
  /** The folder, or `live`. */
  readonly name: string;
  readonly release: string;
  readonly storeCount: number;
  /** What its stores are below. */
  readonly base: string;
}

export interface ViewedSnapshots {
  /** Null when there is nothing to compare with. */
  readonly before: SnapshotFacts | null;
  readonly after: SnapshotFacts;
  readonly changes: SnapshotChanges | null;
}

/** Ids in lower case. */
export interface SnapshotChanges {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  /** Stores whose own location is elsewhere. */
  readonly moved: readonly { readonly id: string; readonly from: Point }[];
  /** Stores that differ in anything else. */
  readonly changed: readonly string[];
}

/** Stores of the later snapshot, and of the earlier one those that are gone, with how they differ. */
export function join(
  changes: SnapshotChanges | null,
  after: readonly FoundStore[],
  before: readonly FoundStore[],
): FoundStore[] {
  if (!changes) return [...after];
  const { added, removed, moved, changed } = changes;
  const origins = new Map(moved.map(({ id, from }) => [id, from]));
  const kinds = new Map<string, Change>();
  const lists = { added, removed, moved: origins.keys(), changed };
  for (const [kind, ids] of Object.entries(lists)) {
    for (const id of ids) kinds.set(id, kind as Change);
  }
  const gone = before.filter(({ id }) => kinds.get(id) === 'removed');
  return [...after, ...gone].map((store) => ({
    ...store,
    change: kinds.get(store.id) ?? 'unchanged',
    movedFrom: origins.get(store.id) ?? null,
  }));
}

export async function loadSnapshots(): Promise<ViewedSnapshots> {
  const response = await fetch('/snapshots.json', { cache: 'no-store' });
  if (!response.ok) throw new Error(`snapshots.json: ${response.status}`);
  return (await response.json()) as ViewedSnapshots;
}
