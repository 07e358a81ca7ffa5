/** Later exports of the same directory: an hour later, and after a change to every store. */
import { createReadStream, createWriteStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { pipeline } from 'node:stream/promises';
import { generateStore } from '../../fixtures/generator/store.ts';
import type { SourceStore } from '../../scripts/compile/source-store.ts';
import { STORE_OPTIONS } from './store-options.ts';

/** One store in a hundred changes: of 300, one is edited, one removed, one added. */
const PERIOD = 300;
const EDITED = 50;
const REMOVED = 150;
const ADDED_AFTER = 250;

/**
 * Copies NDJSON with a hundredth of the stores changed, wherever their place in the directory.
 * @param storeCount how many stores there are: the next one of the seed is new
 */
export async function changeHundredth(
  source: string,
  target: string,
  storeCount: number,
): Promise<void> {
  await pipeline(changedLines(linesOf(source), storeCount), createWriteStream(target));
}

/** Copies NDJSON with every store renamed. */
export async function changeAll(source: string, target: string): Promise<void> {
  await pipeline(renamedLines(linesOf(source)), createWriteStream(target));
}

async function* changedLines(
  lines: AsyncIterable<string>,
  storeCount: number,
): AsyncGenerator<string> {
  let newStore = storeCount;
  let number = 0;
  for await (const line of lines) {
    const place = number++ % PERIOD;
    if (place === REMOVED) continue;
    yield `${place === EDITED ? renamedLine(line) : line}\n`;
    if (place === ADDED_AFTER) {
      yield `${JSON.stringify(generateStore(newStore++, STORE_OPTIONS))}\n`;
    }
  }
}

async function* renamedLines(lines: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const line of lines) yield `${renamedLine(line)}\n`;
}

/** The lines of a text file, one after another. */
export function linesOf(file: string): AsyncIterable<string> {
  return createInterface({ input: createReadStream(file) });
}

function renamedLine(line: string): string {
  return JSON.stringify(rename(JSON.parse(line)));
}

/** The store with another name. */
export function rename(store: SourceStore): SourceStore {
  return { ...store, profile: { ...store.profile, name: `${store.profile.name} (new)` } };
}
