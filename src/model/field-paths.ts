/** The legal `fields` paths, read off the response schema, and selections of them. */
import { z } from 'zod';
import { storeSchema } from './store.ts';

/** Chosen keys of an object, in contract order; null means the whole value. */
export type FieldSelection = ReadonlyMap<string, FieldSelection | null>;

type MutableSelection = Map<string, MutableSelection | null>;

/**
 * All paths of the response as a tree, in which null is a leaf. What an array or a nullable holds has
 * the path of the array or nullable itself.
 */
const FIELD_TREE: FieldSelection = treeOf(storeSchema) ?? new Map();

/** Every legal path in contract order, parents before their children. */
export const FIELD_PATHS: readonly string[] = listPaths(FIELD_TREE, '');

/** The selection that legal `paths` make. A path includes everything below it. */
export function selectFields(paths: Iterable<string>): FieldSelection {
  const chosen = new Set(paths);
  return pick(FIELD_TREE, '', chosen, parentsOf(chosen)) ?? new Map();
}

/** A text that is equal for equal selections, and different for different ones. */
export function canonicalFields(selection: FieldSelection, prefix = ''): string {
  return [...selection]
    .map(([key, below]) => (below ? canonicalFields(below, `${prefix}${key}.`) : prefix + key))
    .join(',');
}

/** The chosen part of `tree`, null when it is empty. Only below `parents` is there anything chosen. */
function pick(
  tree: FieldSelection,
  prefix: string,
  chosen: ReadonlySet<string>,
  parents: ReadonlySet<string>,
): MutableSelection | null {
  const selection: MutableSelection = new Map();
  for (const [key, below] of tree) {
    const path = prefix + key;
    if (chosen.has(path)) selection.set(key, null);
    else if (below && parents.has(path)) {
      const part = pick(below, `${path}.`, chosen, parents);
      if (part) selection.set(key, part);
    }
  }
  return selection.size > 0 ? selection : null;
}

/** Every path above one of `paths`: `a` and `a.b` for `a.b.c`. */
function parentsOf(paths: Iterable<string>): Set<string> {
  const parents = new Set<string>();
  for (const path of paths) {
    for (let dot = path.indexOf('.'); dot >= 0; dot = path.indexOf('.', dot + 1)) {
      parents.add(path.slice(0, dot));
    }
  }
  return parents;
}

/** Looks through nullables and optionals. */
export function bareSchema(schema: z.ZodType): z.ZodType {
  const isWrapped = schema instanceof z.ZodOptional || schema instanceof z.ZodNullable;
  return isWrapped ? bareSchema(schema.unwrap() as z.ZodType) : schema;
}

function treeOf(wrapped: z.ZodType): FieldSelection | null {
  const schema = bareSchema(wrapped);
  if (schema instanceof z.ZodArray) return treeOf(schema.element as z.ZodType);
  if (!(schema instanceof z.ZodObject)) return null;
  return new Map(
    Object.entries(schema.shape).map(([key, value]) => [key, treeOf(value as z.ZodType)]),
  );
}

function listPaths(tree: FieldSelection, prefix: string): string[] {
  return [...tree].flatMap(([key, below]) => [
    prefix + key,
    ...(below ? listPaths(below, `${prefix}${key}.`) : []),
  ]);
}
