/** Finds the stores in a file that is one JSON value around them: `{"data":{"stores":[…]}}`, or an object by id. */
import { visible } from '../cli/output.ts';
import { sourceStoreSchema } from '../compile/source-store.ts';
import { isObject } from './values-in.ts';

/** Keys of a store, here and in the exports of others: the more of them, the likelier it is one. */
const STORE_KEYS: ReadonlySet<string> = new Set([
  ...Object.keys(sourceStoreSchema.shape),
  ...['name', 'address', 'lat', 'lon', 'lng', 'latitude', 'longitude', 'location'],
]);

/** An object of more of these keys is a store: its parts are none. */
const MAX_PART_KEYS = 3;

/** How many steps lead to stores at most: three keys, a list, and a key within its elements. */
const MAX_STEPS = 5;

/** The first of objects that may be the stores. */
interface Candidate {
  /** As jq writes it: `.data.stores[]`. */
  readonly path: string;
  /** How many keys of a store it has. */
  readonly likeness: number;
}

/**
 * Returns the path of jq to the stores within a file that is one value: three keys deep at most, then what holds
 * them, a list or an object by id. Null when the value is a store or a list of stores itself, or has none in it.
 */
export function pathToStores(value: unknown): string | null {
  const found = [...candidatesIn(value, '', 0)].sort((a, b) => b.likeness - a.likeness);
  const most = found[0]?.likeness ?? 0;
  // Parts of a store look like stores, too: `{"id":…,"slug":…,"rentalPoints":[{"id":…,"slug":…}]}`.
  const own = likenessOf(Array.isArray(value) ? value[0] : value);
  if (most <= 2 * Math.max(1, own)) return null;
  // Stores may lie in several lists: `{"fr":[…],"de":[…]}`.
  const best = found.filter(({ likeness }) => likeness === most);
  return best.map(({ path }) => path).join(', ');
}

/** Returns how many keys of a store a value has. */
export function likenessOf(value: unknown): number {
  return Object.keys(Object(value)).filter((key) => STORE_KEYS.has(key)).length;
}

/** Yields candidates. @param path of the value: `[]` or a bracket in it stands for a list */
function* candidatesIn(value: unknown, path: string, steps: number): Generator<Candidate> {
  if (typeof value !== 'object' || value === null || steps > MAX_STEPS) return;
  const likeness = likenessOf(value);
  if (/[\])]/.test(path) && isObject(value)) yield { path, likeness };
  if (likeness > MAX_PART_KEYS) return;
  const [first] = Object.values(value);
  if (Array.isArray(value)) {
    yield* candidatesIn(first, `${path || '.'}[]`, steps + 1);
  } else if (areAlike(Object.values(value))) {
    const keyed = `(${path || '.'} | to_entries[] | {id: .key} + .value)`;
    const each = Object.hasOwn(first, 'id') ? `${path || '.'}[]` : keyed;
    yield* candidatesIn(first, each, steps + 1);
  } else {
    for (const [key, member] of Object.entries(value)) {
      yield* candidatesIn(member, path + jqPath(key), steps + 1);
    }
  }
}

/** Returns whether these are several objects of one kind, as those in an object by id. */
function areAlike([first, ...others]: readonly unknown[]): boolean {
  const [key] = Object.keys(Object(first));
  return (
    others.length > 0 &&
    others.every((other) => isObject(other) && key && Object.hasOwn(other, key))
  );
}

/**
 * Returns the path of jq that leads to a key of an object: `.stores`, `."store-list"`. jq writes strings as
 * JSON does, so that characters which are not printed as they are stand there as escapes. jq reads half of a surrogate
 * pair as U+FFFD, and refuses it in a path.
 */
function jqPath(key: string): string {
  return /^[a-z_]\w*$/i.test(key) ? `.${key}` : `.${visible(JSON.stringify(key.toWellFormed()))}`;
}
