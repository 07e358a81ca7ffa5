/** Sources made of text, what validation says of them, and stores with one thing wrong. */
import type { Fault } from '../../scripts/source/fault.ts';
import { readSource } from '../../scripts/source/read-source.ts';
import { type LocatedStore, validateSource } from '../../scripts/source/source-stores.ts';

/** Validates a source given as text. */
export async function validate(source: string): Promise<{ good: LocatedStore[]; faults: Fault[] }> {
  async function* chunks() {
    yield new TextEncoder().encode(source);
  }
  const good: LocatedStore[] = [];
  const faults: Fault[] = [];
  const listener = {
    add: (found: readonly Fault[]) => void faults.push(...found),
    addLate: (fault: Fault) => void faults.push(fault),
    taken: null,
  };
  for await (const store of validateSource(readSource(chunks()), listener)) good.push(store);
  return { good, faults };
}

/** One value a line. */
export const ndjson = (values: readonly unknown[]) =>
  values.map((value) => JSON.stringify(value)).join('\n');
