/**
 * Ids and slugs that several stores of a source use.
 *
 * A store that is good but for that is not blamed for what a faulty one has: the faulty one is, even
 * if it came before.
 */
import type { Fault, StoreFault, StorePlace } from './fault.ts';

interface Use extends StorePlace {
  readonly isGood: boolean;
}

/** An id or a slug of a store. */
interface StoreName {
  readonly field: 'id' | 'slug';
  readonly name: string;
}

/** Remembers ids and slugs with where they were used; nothing else of the stores. */
export class StoreUniqueness {
  private readonly uses = new Map<string, Use>();

  /**
   * Compares a store with those before it, and returns what is wrong with it, and with earlier ones.
   * @param names its id and slug, as far as they are sound
   * @param isGood whether nothing else is wrong with it
   */
  check(names: readonly StoreName[], place: StorePlace, isGood: boolean) {
    const own = names.flatMap((name) => {
      const before = this.uses.get(keyOf(name));
      return before && (before.isGood || !isGood) ? [duplicate(name, before, 'already')] : [];
    });
    const staysGood = isGood && own.length === 0;
    const earlier: Fault[] = [];
    for (const name of names) {
      const before = this.uses.get(keyOf(name));
      // A faulty store, whose name this good one has.
      if (before && staysGood) {
        const { line, element, store } = before;
        earlier.push({ line, element, store, ...duplicate(name, place, 'too') });
      }
      if (!before || staysGood) this.uses.set(keyOf(name), { ...place, isGood: staysGood });
    }
    return { own, earlier };
  }
}

/** Ids are the same in whatever case, slugs are not. */
function keyOf({ field, name }: StoreName): string {
  return `${field} ${field === 'id' ? name.toLowerCase() : name}`;
}

function duplicate(
  { field, name }: StoreName,
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
