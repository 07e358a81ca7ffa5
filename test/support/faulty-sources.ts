/** Sources made of text, what validation says of them, and stores with one thing wrong. */
import type { Fault } from '../../scripts/source/fault.ts';
import { readSource } from '../../scripts/source/read-source.ts';
import { type LocatedStore, validateSource } from '../../scripts/source/source-stores.ts';
import { buildStore } from './stores/store-builder.ts';

type Json = Record<string, unknown>;

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

/** Store `number` with the value at a dotted path set; undefined removes it. */
export function storeWith(number: number, changes: Readonly<Record<string, unknown>>): Json {
  const store = structuredClone(buildStore(number)) as unknown as Json;
  for (const [path, value] of Object.entries(changes)) {
    const keys = path.split('.');
    const last = keys.pop() as string;
    const parent = keys.reduce((object, key) => object[key] as Json, store);
    if (value === undefined) delete parent[last];
    else parent[last] = value;
  }
  return store;
}
