/** What requests need to know of the stores: how each is called, and what it rents out. */
import { createReadStream } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { VERTICALES, type Verticale } from '../../src/model/enumerations.ts';

/** In the order of the source file. */
export interface StoreFacts {
  readonly ids: readonly string[];
  readonly slugs: readonly string[];
  /** Bit n: the store has the n-th verticale. */
  readonly verticales: readonly number[];
}

const factsSchema = z.object({
  ids: z.array(z.string()),
  slugs: z.array(z.string()),
  verticales: z.array(z.number()),
});

/** Parsing whole stores takes minutes at 100,000. What is wanted stands in front of each line. */
const LINE = /^\{"id":"([^"]+)","slug":"([^"]+)".*?"verticales":\[([^\]]*)\]/;

/** Reads the facts off an NDJSON file of the generator and keeps them in `file`. */
export async function writeFacts(source: string, file: string): Promise<void> {
  const ids: string[] = [];
  const slugs: string[] = [];
  const verticales: number[] = [];
  for await (const line of createInterface({ input: createReadStream(source) })) {
    const [, id, slug, words] = LINE.exec(line) ?? [];
    if (id === undefined || slug === undefined || words === undefined) {
      throw new Error(`${source}: a line does not begin as expected: ${line.slice(0, 80)}`);
    }
    ids.push(copy(id));
    slugs.push(copy(slug));
    verticales.push(maskOf(JSON.parse(`[${words}]`)));
  }
  await writeFile(file, JSON.stringify({ ids, slugs, verticales }));
}

/** A part of a text holds the whole text in memory: at 100,000 stores, all of the file. */
function copy(part: string): string {
  return Buffer.from(part).toString();
}

export async function readFacts(file: string): Promise<StoreFacts> {
  return factsSchema.parse(JSON.parse(await readFile(file, 'utf8')));
}

/** Counts of stores by what was looked for: every request of a kind asks. */
const counts = new WeakMap<StoreFacts, Map<number, number>>();

/** How many stores have at least one of `wanted`. */
export function countStores(facts: StoreFacts, wanted: readonly Verticale[]): number {
  const known = counts.get(facts) ?? new Map<number, number>();
  counts.set(facts, known);
  const mask = maskOf(wanted);
  const count = known.get(mask) ?? facts.verticales.filter((store) => (store & mask) !== 0).length;
  known.set(mask, count);
  return count;
}

function maskOf(words: readonly Verticale[]): number {
  return words.reduce((mask, word) => mask | (1 << VERTICALES.indexOf(word)), 0);
}
