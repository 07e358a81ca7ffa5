/** Finds the stores in a file that is one JSON value around them: `{"data":{"stores":[…]}}`, or an object by id. */
import { visible } from '../cli/output.ts';
import { sourceStoreSchema } from '../compile/source-store.ts';
import { isObject, valuesIn } from './values-in.ts';

/** Keys of a store here, and of a place in the exports of others: the more of them, the likelier it is a store. */
const OWN_KEYS: ReadonlySet<string> = new Set(Object.keys(sourceStoreSchema.shape));
const PLACE_KEYS: ReadonlySet<string> = new Set([
  ...OWN_KEYS,
  ...['_id', 'name', 'address', 'lat', 'lon', 'lng', 'latitude', 'longitude', 'location'],
  ...['geometry', 'properties'],
]);

/** How many steps lead to stores at most: three keys, a list, and a key within its elements. */
const MAX_STEPS = 5;

/** An object of more members than this is a list of stores by their ids: none of its keys is a step. */
const MAX_MEMBERS = 100;

/** The key of an object that is its id, so that others have other ones: digits with or without dashes. */
const IS_ID = /^(?=.*\d)[\da-f-]+$/i;

/** Members of an object whose ids are its keys alone, for jq. */
const WITH_KEY = 'to_entries[] | {id: .key} + .value';

/** A path of jq to each of a list, or of an object. */
const IS_LIST = /(?:\[\]|\.value)$/;

/** Objects that may be the stores. */
interface Candidate {
  /** As jq writes it: `.data.stores[]`. */
  readonly path: string;
  /** How many keys of a store the first of them has. */
  readonly likeness: number;
  readonly count: number;
  /** The first of them. */
  readonly store: object;
}

/**
 * Returns the path of jq to the stores within a file that is one value: three keys deep at most, then what holds
 * them, a list or an object by id. Null when the value is a store or a list of stores itself, or has none in it.
 */
export function pathToStores(value: unknown): string | null {
  const found = [...candidatesIn(value, '', 0, 0)]
    // A single object without any is rather a message: `{"errors":[{"message":…}]}`.
    .filter(({ likeness, count }) => likeness > 0 || count > 1)
    .sort((a, b) => b.likeness - a.likeness || b.count - a.count);
  const [best] = found;
  if (!best) return null;
  const isList = Array.isArray(value);
  const own = likenessOf(isList ? value[0] : value, PLACE_KEYS);
  // Parts of a store look like stores, too: `{"id":…,"slug":…,"rentalPoints":[{"id":…,"slug":…}]}`.
  const needed = isList ? 4 * (own + 1) : own < 2 ? own : 2 * own;
  if (best.likeness < needed) return null;
  if (!IS_LIST.test(best.path)) return best.path;
  // Stores in several lists: `{"fr":[…],"de":[…]}`. What another path leads to as well counts once.
  const lists = found.filter(
    ({ path, likeness }) => IS_LIST.test(path) && likeness > 3 && likeness === best.likeness,
  );
  const paths = new Map(lists.reverse().map(({ store, path }) => [store, path]));
  const several = [...paths.values()].reverse();
  return several.length > 1 ? `(${several.join('), (')})` : best.path;
}

/** Returns whether a value is an object in which nothing looks like a store: `{"error":{"code":401}}`, `{"stores":[]}`. */
export function isWithoutStores(value: unknown): boolean {
  return (
    isObject(value) &&
    likenessOf(value, OWN_KEYS) === 0 &&
    valuesIn(value).every((within) => likenessOf(within.value, OWN_KEYS) < 3)
  );
}

/** Yields candidates. @param count of the list that was stepped into; 0: none was */
function* candidatesIn(
  value: unknown,
  path: string,
  steps: number,
  count: number,
): Generator<Candidate> {
  if (typeof value !== 'object' || value === null || steps > MAX_STEPS) return;
  const members = Object.entries(value);
  if (isObject(value)) {
    const keys = path.endsWith('[]') ? PLACE_KEYS : OWN_KEYS;
    if (count > 0) yield { path, likeness: likenessOf(value, keys), count, store: value };
    // Parts of what is a store itself are none.
    const isStore = likenessOf(value, OWN_KEYS) > 3;
    for (const [key, member] of isStore || members.length > MAX_MEMBERS ? [] : members) {
      if (IS_ID.test(key) && isObject(member)) continue;
      yield* candidatesIn(member, path + jqPath(key), steps + 1, count);
    }
  }
  const [first] = members;
  if (!first || !members.every(([, member]) => isObject(member))) return;
  if (isObject(value) && !Object.hasOwn(first[1], 'id')) {
    const likeness = likenessOf(first[1], PLACE_KEYS);
    const keyed = `${path && `${path} | `}${WITH_KEY}`;
    yield { path: keyed, likeness, count: members.length, store: first[1] };
  }
  yield* candidatesIn(first[1], `${path || '.'}[]`, steps + 1, members.length);
}

function likenessOf(value: unknown, keys: ReadonlySet<string>): number {
  return Object.keys(Object(value)).filter((key) => keys.has(key)).length;
}

/**
 * Returns the path of jq that leads to a key of an object: `.stores`, `."store-list"`. jq writes strings as
 * JSON does, so that characters which are not printed as they are stand there as escapes. jq reads half of a surrogate
 * pair as U+FFFD, and refuses it in a path.
 */
function jqPath(key: string): string {
  return /^[a-z_]\w*$/i.test(key) ? `.${key}` : `.${visible(JSON.stringify(key.toWellFormed()))}`;
}
