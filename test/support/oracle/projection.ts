/** Puts a value in contract order, with all of its fields or with chosen ones. */
import { type KeyTree, STORE_KEYS } from './contract.ts';

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
