/**
 * A release as `changes` knows it: by the name that partners were told, with what is compared of it.
 *
 *     snapshot/v3/name/<number>-<content id>   JSON, immutable
 *
 * Whoever puts a release live writes it, before the pointer that tells partners the name; whoever
 * gives a release up deletes it, before anything else of the release. So the Worker finds a release by
 * one read, and never looks through the log.
 */
import { z } from 'zod';
import { COMPARED_STORES_PART, comparedSlugsPart, SLUGS_PER_PART } from './compared-stores.ts';
import { COMPARISON_VERSION } from './keys.ts';
import { type LiveRelease, objectRefSchema } from './manifest.ts';

export const comparisonSchema = z.strictObject({
  /** Version of the format whose keys the parts have. */
  format: z.int().min(1),
  /** Version of the parts, see `compared-stores.ts`. */
  comparison: z.literal(COMPARISON_VERSION),
  /** When it went live: the Last-Modified of answers. */
  publishedAt: z.iso.datetime(),
  storeCount: z.int().min(0),
  /** The part of compared stores. */
  stores: objectRefSchema,
  /** The parts of slugs, in their order. */
  slugs: z.array(objectRefSchema),
});

export type Comparison = z.infer<typeof comparisonSchema>;

/** What is compared of a release; null when a tool compiled it that left that out. */
export function comparisonOf({ manifest, publishedAt }: LiveRelease): Comparison | null {
  const { parts, storeCount } = manifest;
  const stores = parts[COMPARED_STORES_PART];
  const count = Math.ceil(storeCount / SLUGS_PER_PART);
  const slugs = Array.from({ length: count }, (_, number) => parts[comparedSlugsPart(number)]);
  if (!stores || !slugs.every((part) => part !== undefined)) return null;
  const { format } = manifest;
  return { format, comparison: COMPARISON_VERSION, publishedAt, storeCount, stores, slugs };
}
