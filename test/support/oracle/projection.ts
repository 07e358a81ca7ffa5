/**
 * Every field of the contract in contract order, and values with chosen ones. The order comes from the example
 * of an answer, not from the schemas, which are under test.
 */
import example from '../../../web/openapi/example-store.json' with { type: 'json' };

/** Keys of an object in order; `true` marks a value without keys of its own. Arrays are looked through. */
interface KeyTree {
  readonly [key: string]: KeyTree | true;
}

/** The fields that the example lacks, by those that they come after. */
const SOMETIMES: Readonly<Record<string, KeyTree>> = {
  slug: { rentalPointSlug: true },
  pageUrl: {
    distance: true,
    deliveryPrice: true,
    opening: { at: true, isOpen: true, nextChange: true },
  },
};

const STORE_KEYS: KeyTree = Object.assign(
  {},
  ...Object.entries(treeOf(example)).map(([key, below]) => ({ [key]: below, ...SOMETIMES[key] })),
);

function treeOf(value: unknown): KeyTree | true {
  if (Array.isArray(value)) return treeOf(value[0]);
  if (typeof value !== 'object' || value === null) return true;
  return Object.fromEntries(Object.entries(value).map(([key, below]) => [key, treeOf(below)]));
}

/** Every legal path of `fields`, parents before children. */
export const STORE_PATHS: readonly string[] = pathsOf(STORE_KEYS, '');

function pathsOf(tree: KeyTree, prefix: string): string[] {
  return Object.entries(tree).flatMap(([key, below]) => [
    prefix + key,
    ...(below === true ? [] : pathsOf(below, `${prefix}${key}.`)),
  ]);
}

/** The fields of `store` that `fields` names (all when undefined), in contract order. */
export function projectStore(store: object, fields: readonly string[] | undefined): object {
  return project(store, STORE_KEYS, '', fields) as object;
}

function project(
  value: unknown,
  tree: KeyTree | true,
  prefix: string,
  fields: readonly string[] | undefined,
): unknown {
  if (value === null || tree === true) return value;
  if (Array.isArray(value)) return value.map((element) => project(element, tree, prefix, fields));
  const result: Record<string, unknown> = {};
  for (const [key, below] of Object.entries(tree)) {
    const inner = (value as Record<string, unknown>)[key];
    if (inner === undefined) continue;
    const path = prefix + key;
    if (fields === undefined || fields.includes(path)) {
      result[key] = project(inner, below, `${path}.`, undefined);
    } else if (fields.some((field) => field.startsWith(`${path}.`))) {
      result[key] = project(inner, below, `${path}.`, fields);
    }
  }
  return result;
}
