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
  readonly moved: readonly {
    readonly id: string;
    readonly from: Point;
    readonly kilometres: number;
  }[];
  /** Stores that differ in anything else. */
  readonly changed: readonly string[];
}

/** Tells of stores how they differ. */
export class Comparison {
  private readonly kinds = new Map<string, Change>();
  private readonly origins = new Map<string, Point>();
  readonly removedCount: number;

  constructor({ added, removed, moved, changed }: SnapshotChanges) {
    for (const id of added) this.kinds.set(id, 'added');
    for (const id of removed) this.kinds.set(id, 'removed');
    for (const id of changed) this.kinds.set(id, 'changed');
    for (const { id, from } of moved) {
      this.kinds.set(id, 'moved');
      this.origins.set(id, from);
    }
    this.removedCount = removed.length;
  }

  /** Stores of the later snapshot, and of the earlier one those that are gone. */
  join(after: readonly FoundStore[], before: readonly FoundStore[]): FoundStore[] {
    const gone = before.filter(({ id }) => this.kindOf(id) === 'removed');
    return [...after, ...gone].map((store) => ({
      ...store,
      change: this.kindOf(store.id),
      movedFrom: this.origins.get(store.id) ?? null,
    }));
  }

  private kindOf(id: string): Change {
    return this.kinds.get(id) ?? 'unchanged';
  }
}

export async function loadSnapshots(): Promise<ViewedSnapshots> {
  const response = await fetch('/snapshots.json', { cache: 'no-store' });
  if (!response.ok) throw new Error(`snapshots.json: ${response.status}`);
  return (await response.json()) as ViewedSnapshots;
}
