/** What of a schema a set of values never shows: enumeration words, nulls, empty lists and the like. */
import { z } from 'zod';

/**
 * The branches of `schema` that none of `values` takes, as `path: branch`.
 *
 * Branches are: each word of an enumeration, true and false, null and not null, an empty and a
 * filled array, each form of a union.
 */
export function unseenBranches(schema: z.ZodType, values: readonly unknown[], path = ''): string[] {
  if (schema instanceof z.ZodPipe) return unseenBranches(schema.in as z.ZodType, values, path);
  if (schema instanceof z.ZodNullable) {
    const rest = values.filter((value) => value !== null);
    return [
      ...unless(rest.length < values.length, path, 'null'),
      ...unless(rest.length > 0, path, 'not null'),
      ...unseenBranches(schema.unwrap() as z.ZodType, rest, path),
    ];
  }
  if (schema instanceof z.ZodArray) {
    const lists = values as readonly unknown[][];
    return [
      ...unless(lists.some((list) => list.length === 0) || isNeverEmpty(path), path, 'empty'),
      ...unless(
        lists.some((list) => list.length > 0),
        path,
        'filled',
      ),
      ...unseenBranches(schema.element as z.ZodType, lists.flat(1), path),
    ];
  }
  if (schema instanceof z.ZodObject) {
    const objects = values as readonly Record<string, unknown>[];
    return Object.entries(schema.shape).flatMap(([key, below]) =>
      unseenBranches(
        below as z.ZodType,
        objects.map((object) => object[key]),
        path ? `${path}.${key}` : key,
      ),
    );
  }
  return unseenWords(schema, values, path);
}

function unseenWords(schema: z.ZodType, values: readonly unknown[], path: string): string[] {
  const seen = (word: unknown) => values.includes(word);
  if (schema instanceof z.ZodEnum) {
    return schema.options.flatMap((word) => unless(seen(word), path, String(word)));
  }
  if (schema instanceof z.ZodBoolean) {
    return [true, false].flatMap((word) => unless(seen(word), path, String(word)));
  }
  if (schema instanceof z.ZodUnion) {
    return schema.options.flatMap((form, number) =>
      unless(
        values.some((value) => (form as z.ZodType).safeParse(value).success),
        path,
        `form ${number}`,
      ),
    );
  }
  return [];
}

/** A store without languages would be invalid. */
function isNeverEmpty(path: string): boolean {
  return path === 'localization.available';
}

function unless(seen: boolean, path: string, branch: string): string[] {
  return seen ? [] : [`${path}: ${branch}`];
}
