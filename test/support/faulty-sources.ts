/** Sources made of text, what validation says of them, and stores with one thing wrong. */

import type { SourceStore } from '../../scripts/compile/source-store.ts';
import type { Fault } from '../../scripts/source/fault.ts';
import { readSource } from '../../scripts/source/read-source.ts';
import { validateSource } from '../../scripts/source/source-stores.ts';

/** Validates a source given as text. Returns good stores with the lines on which they begin. */
export async function validate(source: string) {
  async function* chunks() {
    yield new TextEncoder().encode(source);
  }
  let line = 0;
  async function* records() {
    for await (const record of readSource(chunks())) {
      line = record.line;
      yield record;
    }
  }
  const good: { line: number; store: SourceStore }[] = [];
  const faults: Fault[] = [];
  const listener = {
    add: (found: readonly Fault[]) => void faults.push(...found),
    addLate: (fault: Fault) => void faults.push(fault),
    taken: null,
  };
  for await (const store of validateSource(records(), listener)) good.push({ line, store });
  return { good, faults };
}

/** One value a line. */
export const ndjson = (values: readonly unknown[]) =>
  values.map((value) => JSON.stringify(value)).join('\n');
