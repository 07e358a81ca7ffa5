/** What does not fit into memory, kept in a file for the time of a command. */
import { closeSync, openSync, readSync, unlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RecordSpool } from '../compile/compile-release.ts';

/**
 * Keeps records one after another in a file.
 *
 * Synchronous: the file stays in the system's cache, where a call takes microseconds, and a hundred
 * thousand waits for a thread pool take seconds.
 * @param folder where the file lies, without a name: it is gone with the process
 */
export function openSpool(folder: string): RecordSpool & Disposable {
  const path = join(folder, `store-spool-${crypto.randomUUID()}`);
  const file = openSync(path, 'wx+', 0o600);
  unlinkSync(path);
  let end = 0;
  return {
    append(record) {
      const offset = end;
      writeFileSync(file, record);
      end += record.length;
      return offset;
    },
    read(offset, record) {
      const { length } = record;
      if (readSync(file, record, 0, length, offset) < length) {
        throw new RangeError(`no record of ${length} bytes at ${offset}`);
      }
    },
    [Symbol.dispose]: () => closeSync(file),
  };
}

/** Values that are kept until they are printed, however many there are, in little memory. */
export class JsonSpool<Value> implements AsyncIterable<Value> {
  private spool: (RecordSpool & Disposable) | null = null;
  /** Bytes of each. */
  private readonly lengths: number[] = [];

  add(value: Value): void {
    const text = Buffer.from(JSON.stringify(value));
    this.spool ??= openSpool(tmpdir());
    this.spool.append(text);
    this.lengths.push(text.length);
  }

  /** All values in order. They can be read once. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Value> {
    using spool = this.spool;
    let offset = 0;
    for (const length of this.lengths) {
      const text = Buffer.alloc(length);
      spool?.read(offset, text);
      offset += length;
      yield JSON.parse(text.toString()) as Value;
    }
  }
}
