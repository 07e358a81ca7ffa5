/** Stores with next to nothing in them, and what differs between two exports of such. */

export interface PlainStore {
  readonly id: string;
  readonly slug: string;
  readonly profile: { readonly name: string; readonly verticales: readonly string[] };
}

interface PlainChange {
  readonly id: string;
  readonly slug: string;
  readonly change: string;
}

type PlainStores = ReadonlyMap<string, PlainStore>;

/** What differs between two exports, in the order of ids. */
export function comparePlain(since: PlainStores, until: PlainStores): PlainChange[] {
  const changes: PlainChange[] = [];
  for (const id of [...new Set([...since.keys(), ...until.keys()])].sort()) {
    const [before, after] = [since.get(id), until.get(id)];
    const slug = `store-${id}`;
    if (!after) changes.push({ id, slug, change: 'removed' });
    else if (!before) changes.push({ id, slug, change: 'added' });
    // A store that was not touched is the same object.
    else if (before !== after && JSON.stringify(before) !== JSON.stringify(after)) {
      changes.push({ id, slug, change: 'changed' });
    }
  }
  return changes;
}
