/** The legal `fields` paths, read off the response schema, and selections of them. */
import * as z from 'zod';
import { bareSchema, storeSchema } from './store.ts';

/** Chosen keys of an object, in contract order; null means the whole value. */
export type FieldSelection = ReadonlyMap<string, FieldSelection | null>;

/**
 * Every legal path in contract order, parents before their children. What an array or a nullable holds
 * has the path of the array or nullable itself.
 */
export const FIELD_PATHS: readonly string[] = pathsBelow(storeSchema, '');

/** Returns the selection that legal `paths` make. A path includes everything below it. */
export function selectFields(paths: Iterable<string>): FieldSelection {
  const chosen = new Set(paths);
  return selectionOf(FIELD_PATHS.filter((path) => chosen.has(path)));
}

function selectionOf(paths: readonly string[]): FieldSelection {
  const groups = Map.groupBy(paths, (path) => path.split('.', 1)[0] as string);
  return new Map(
    Array.from(groups, ([key, group]) => {
      const below = group.map((path) => path.slice(key.length + 1));
      return [key, below.includes('') ? null : selectionOf(below)];
    }),
  );
}

/** Returns a text that is equal for equal selections, and different for different ones. */
export function canonicalFields(selection: FieldSelection, prefix = ''): string {
  return [...selection]
    .map(([key, below]) => (below ? canonicalFields(below, `${prefix}${key}.`) : prefix + key))
    .join(',');
}

function pathsBelow(wrapped: z.ZodType, prefix: string): string[] {
  const schema = bareSchema(wrapped);
  if (schema instanceof z.ZodArray) return pathsBelow(schema.element as z.ZodType, prefix);
  if (!(schema instanceof z.ZodObject)) return [];
  return Object.entries(schema.shape).flatMap(([key, value]) => [
    prefix + key,
    ...pathsBelow(value as z.ZodType, `${prefix}${key}.`),
  ]);
}
