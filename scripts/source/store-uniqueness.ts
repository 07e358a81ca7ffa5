/**
 * Ids and slugs that several stores of a source use.
 *
 * A store that is good but for that is not blamed for what a faulty one has: the faulty one is, even
 * if it came before.
 */
import type { Fault, StoreFault } from './fault.ts';

/** Where a store is, and what it is called. */
type StorePlace = Pick<Fault, 'line' | 'element' | 'store'>;

interface Use extends StorePlace {
  readonly isGood: boolean;
}

type Field = 'id' | 'slug';

/** Remembers ids and slugs with where they were used; nothing else of the stores. */
export class StoreUniqueness {
  private readonly uses = { id: new Map<string, Use>(), slug: new Map<string, Use>() };

  /**
   * Compares a store with those before it, and returns what is wrong with it, and with earlier ones.
   * @param names its id and slug, null where they are none
   * @param isGood whether nothing else is wrong with it
   */
  check(names: Readonly<Record<Field, string | null>>, place: StorePlace, isGood: boolean) {
    const used = (['id', 'slug'] as const).flatMap((field) => {
      const name = names[field];
      return name === null ? [] : [{ field, name, key: keyOf(field, name) }];
    });
    const own = used.flatMap(({ field, name, key }) => {
      const before = this.uses[field].get(key);
      return before && (before.isGood || !isGood)
        ? [duplicate(field, name, before, 'already')]
        : [];
    });
    const staysGood = isGood && own.length === 0;
    const earlier: Fault[] = [];
    for (const { field, name, key } of used) {
      const before = this.uses[field].get(key);
      // A faulty store, whose name this good one has.
      if (before && staysGood) {
        const { line, element, store } = before;
        earlier.push({ line, element, store, ...duplicate(field, name, place, 'too') });
      }
      if (!before || staysGood) this.uses[field].set(key, { ...place, isGood: staysGood });
    }
    return { own, earlier };
  }
}

/** Ids are the same in whatever case, slugs are not. */
function keyOf(field: Field, name: string): string {
  return field === 'id' ? name.toLowerCase() : name;
}

function duplicate(
  field: Field,
  name: string,
  other: StorePlace,
  when: 'already' | 'too',
): StoreFault {
  const what = field === 'id' ? 'an id' : 'a slug';
  const message = `expected ${what} of its own: ${describe(other)} has it ${when}`;
  return { kind: `duplicate_${field}`, path: field, value: JSON.stringify(name), message };
}

function describe({ line, element }: StorePlace): string {
  return element === null ? `line ${line}` : `element ${element}`;
}
