/**
 * Ids and slugs that several stores of a source use.
 *
 * A store that is good but for that is not blamed for what a faulty one has: the faulty one is, even
 * if it came before.
 */
import { type Fault, recordFault } from './fault.ts';
import type { StoreFault } from './issue-faults.ts';

/** Where a store is, and what it is called. */
export type StorePlace = Pick<Fault, 'line' | 'element' | 'store'>;

interface Use extends StorePlace {
  readonly isGood: boolean;
}

type Field = 'id' | 'slug';

/** What is wrong with a store, and with one that came before it. */
export interface UniquenessFaults {
  readonly own: readonly StoreFault[];
  readonly earlier: readonly Fault[];
}

/** Remembers ids and slugs with where they were used; nothing else of the stores. */
export class StoreUniqueness {
  private readonly uses = { id: new Map<string, Use>(), slug: new Map<string, Use>() };

  /**
   * Compares a store with those before it.
   * @param names its id and slug, null where they are none
   * @param isGood whether nothing else is wrong with it
   */
  check(
    names: Readonly<Record<Field, string | null>>,
    place: StorePlace,
    isGood: boolean,
  ): UniquenessFaults {
    const used = (['id', 'slug'] as const).flatMap((field) => {
      const name = names[field];
      return name === null ? [] : [{ field, name, key: keyOf(field, name) }];
    });
    const own = used.flatMap(({ field, name, key }) => {
      const before = this.uses[field].get(key);
      return before && (before.isGood || !isGood) ? [duplicate(field, name, before)] : [];
    });
    const staysGood = isGood && own.length === 0;
    const earlier: Fault[] = [];
    for (const { field, name, key } of used) {
      const before = this.uses[field].get(key);
      if (before && staysGood) earlier.push(lateDuplicate(field, name, before, place));
      if (!before || staysGood) this.uses[field].set(key, { ...place, isGood: staysGood });
    }
    return { own, earlier };
  }
}

/** Ids are the same in whatever case, slugs are not. */
function keyOf(field: Field, name: string): string {
  return field === 'id' ? name.toLowerCase() : name;
}

function duplicate(field: Field, name: string, other: StorePlace): StoreFault {
  const kind = field === 'id' ? 'duplicate_id' : 'duplicate_slug';
  const message = `expected ${field === 'id' ? 'an id' : 'a slug'} of its own: ${describe(other)} has it already`;
  return { kind, path: field, value: JSON.stringify(name), message };
}

/** Of a faulty store, whose name a good one has that comes after it. */
function lateDuplicate(field: Field, name: string, of: StorePlace, other: StorePlace): Fault {
  const { kind, path, value } = duplicate(field, name, other);
  const message = `expected ${field === 'id' ? 'an id' : 'a slug'} of its own: ${describe(other)} has it too`;
  const { line, element, store } = of;
  return { ...recordFault(kind, line, message, { element, store, value }), path };
}

function describe({ line, element }: StorePlace): string {
  return element === null ? `line ${line}` : `element ${element}`;
}
