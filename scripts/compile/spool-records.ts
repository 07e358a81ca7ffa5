/** The first pass of a compilation: every store's record goes to the spool, a few facts stay. */
import { sha256Bytes } from '../../src/hash.ts';
import { FINGERPRINT_BYTES } from '../../src/snapshot/compared-stores.ts';
import { FINGERPRINT_BYTE } from '../../src/snapshot/record-layout.ts';
import { compileRecord } from './compile-record.ts';
import { type CompileIo, PROGRESS_STEP } from './release-output.ts';
import type { SourceStore } from './source-store.ts';
import { type StoreFacts, storeFacts } from './store-facts.ts';

/** Compiles `stores` into the spool and returns their facts in the same order. */
export async function spoolRecords(
  stores: AsyncIterable<SourceStore> | Iterable<SourceStore>,
  { spool, progress, hash = sha256Bytes }: CompileIo,
): Promise<StoreFacts[]> {
  const facts: StoreFacts[] = [];
  for await (const store of stores) {
    const { record, answers } = compileRecord(store);
    const fingerprint = (await hash(answers)).slice(0, FINGERPRINT_BYTES);
    record.set(fingerprint, FINGERPRINT_BYTE);
    const spoolOffset = spool.append(record);
    facts.push(storeFacts(store, { spoolOffset, recordLength: record.length, fingerprint }));
    if (facts.length % PROGRESS_STEP === 0) progress?.('stores', facts.length, null);
  }
  progress?.('stores', facts.length, facts.length);
  return facts;
}
