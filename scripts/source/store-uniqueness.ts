/** Ids and slugs that several stores of a source use. */
import type { StoreFault } from './issue-faults.ts';

/** Remembers ids and slugs with the line of their first use; nothing else of the stores. */
export class StoreUniqueness {
  private readonly ids = new Map<string, number>();
  private readonly slugs = new Map<string, number>();

  /** The fault of using `id` again, in whatever case. */
  checkId(id: string, line: number): StoreFault | null {
    const first = firstUse(this.ids, id.toLowerCase(), line);
    return first === null ? null : duplicate('duplicate_id', 'id', id, first);
  }

  /** The fault of using `slug` again, in the same case. */
  checkSlug(slug: string, line: number): StoreFault | null {
    const first = firstUse(this.slugs, slug, line);
    return first === null ? null : duplicate('duplicate_slug', 'slug', slug, first);
  }
}

function firstUse(uses: Map<string, number>, key: string, line: number): number | null {
  const first = uses.get(key);
  if (first === undefined) uses.set(key, line);
  return first ?? null;
}

function duplicate(
  kind: 'duplicate_id' | 'duplicate_slug',
  path: 'id' | 'slug',
  value: string,
  first: number,
): StoreFault {
  const message = `expected ${path === 'id' ? 'an id' : 'a slug'} of its own: line ${first} has it already`;
  return { kind, path, value: JSON.stringify(value), message };
}
