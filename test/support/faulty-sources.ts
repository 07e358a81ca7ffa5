/** Sources made of text, what validation says of them, and stores with one thing wrong. */
import type { SourceStore } from '../../scripts/compile/source-store.ts';
import type { Fault } from '../../scripts/source/fault.ts';
import { FaultReport } from '../../scripts/source/fault-report.ts';
import { readSource } from '../../scripts/source/read-source.ts';
import { validateSource } from '../../scripts/source/source-stores.ts';

/** Validates a source given as text. */
export async function validate(source: string): Promise<{ good: SourceStore[]; faults: Fault[] }> {
  async function* chunks() {
    yield new TextEncoder().encode(source);
  }
  const report = new FaultReport(true);
  const good = await Array.fromAsync(validateSource(readSource(chunks()), report));
  return { good, faults: await Array.fromAsync(report.faults) };
}

/** One value a line. */
export const ndjson = (values: readonly unknown[]) =>
  values.map((value) => JSON.stringify(value)).join('\n');
