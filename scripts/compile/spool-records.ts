/** The first pass of a compilation: every store's record goes to the spool, a few facts stay. */
import { sha256Bytes } from '../../src/hash.ts';
import type { SourceStore } from '../../src/model/source-store.ts';
import { setFingerprint } from '../../src/snapshot/record-writer.ts';
import { compileRecord } from './compile-record.ts';
import { type CompileIo, PROGRESS_STEP } from './release-output.ts';
import { type StoreFacts, storeFacts } from './store-facts.ts';

/** Compiles `stores` into the spool and returns their facts in the same order. */
export async function spoolRecords(
  stores: AsyncIterable<SourceStore> | Iterable<SourceStore>,
  { spool, progress, hash = sha256Bytes }: CompileIo,
): Promise<StoreFacts[]> {
  const facts: StoreFacts[] = [];
  for await (const store of stores) {
    const { record, answers } = compileRecord(store);
    // Before anything waits: the next record takes the place of its bytes.
    const answersHash = hash(answers);
    setFingerprint(record, await hash(record));
    const offset = await spool.append(record);
    facts.push(storeFacts(store, offset, record, await answersHash));
    if (facts.length % PROGRESS_STEP === 0) progress?.('stores', facts.length, null);
  }
  progress?.('stores', facts.length, facts.length);
  return facts;
}
