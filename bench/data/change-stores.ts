/** The export an hour later: one store in a hundred has changed. */
import { createReadStream, createWriteStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { pipeline } from 'node:stream/promises';
import type { SourceStore } from '../../src/model/source-store.ts';

const EVERY = 100;

/** Copies NDJSON with every hundredth store renamed, wherever its place in the directory. */
export async function changeStores(source: string, target: string): Promise<void> {
  const lines = createInterface({ input: createReadStream(source) });
  await pipeline(changedLines(lines), createWriteStream(target));
}

async function* changedLines(lines: AsyncIterable<string>): AsyncGenerator<string> {
  let number = 0;
  for await (const line of lines) {
    yield `${number++ % EVERY === 0 ? rename(line) : line}\n`;
  }
}

function rename(line: string): string {
  const store = JSON.parse(line) as SourceStore;
  const profile = { ...store.profile, name: `${store.profile.name} (new)` };
  return JSON.stringify({ ...store, profile });
}
