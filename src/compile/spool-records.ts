/** The first pass of a compilation: every store's record goes to the spool, a few facts stay. */
import { sha256Bytes } from '../hash.ts';
import type { SourceStore } from '../model/source-store.ts';
import { setFingerprint } from '../snapshot/record-writer.ts';
import { compileRecord } from './compile-record.ts';
import { type CompileIo, PROGRESS_STEP } from './release-output.ts';
import { type StoreFacts, storeFacts } from './store-facts.ts';

/** So many bytes of records may wait for their hashes. */
const HASHED_AT_ONCE = 256 * 1024;

interface CompiledStore {
  readonly store: SourceStore;
  readonly record: Uint8Array;
}

/** Compiles `stores` into the spool and returns their facts in the same order. */
export async function spoolRecords(
  stores: AsyncIterable<SourceStore> | Iterable<SourceStore>,
  { spool, progress }: CompileIo,
): Promise<StoreFacts[]> {
  const facts: StoreFacts[] = [];
  for await (const { store, record } of compileRecords(stores)) {
    facts.push(storeFacts(store, await spool.append(record), record));
    if (facts.length % PROGRESS_STEP === 0) progress?.('stores', facts.length, null);
  }
  progress?.('stores', facts.length, facts.length);
  return facts;
}

/**
 * Yields the stores in order, each with its record. Hashes are computed while further records are
 * compiled: to wait for one takes several times as long as to compute it.
 */
async function* compileRecords(
  stores: AsyncIterable<SourceStore> | Iterable<SourceStore>,
): AsyncGenerator<CompiledStore> {
  const waiting: Promise<CompiledStore>[] = [];
  let bytes = 0;
  for await (const store of stores) {
    const record = compileRecord(store);
    waiting.push(addFingerprint(store, record));
    bytes += record.length;
    for (let first = waiting[0]; first && bytes > HASHED_AT_ONCE; first = waiting[0]) {
      const compiled = await first;
      waiting.shift();
      bytes -= compiled.record.length;
      yield compiled;
    }
  }
  for (const last of waiting) yield await last;
}

async function addFingerprint(store: SourceStore, record: Uint8Array): Promise<CompiledStore> {
  setFingerprint(record, await sha256Bytes(record));
  return { store, record };
}
