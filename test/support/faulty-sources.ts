/** Sources made of text, what validation says of them, and stores with one thing wrong. */
import type { SourceStore } from '../../scripts/compile/source-store.ts';
import type { Fault } from '../../scripts/source/fault.ts';
import { readSource } from '../../scripts/source/read-source.ts';
import { type LocatedStore, validateSource } from '../../scripts/source/source-stores.ts';
import { buildStore, changeAt } from './stores/store-builder.ts';

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
  };
  for await (const store of validateSource(readSource(chunks()), listener)) good.push(store);
  return { good, faults };
}

/** One value a line. */
export const ndjson = (values: readonly unknown[]) =>
  values.map((value) => JSON.stringify(value)).join('\n');

/** Store `number` with the values at dotted paths set, right or wrong; undefined removes one. */
export function storeWith(number: number, changes: Readonly<Record<string, unknown>>): SourceStore {
  return Object.entries(changes).reduce(
    (store, [path, value]) => changeAt(store, path, () => value),
    buildStore(number),
  );
}
