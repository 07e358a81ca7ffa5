/** What does not fit into memory, kept in a file for the time of a command. */
import { closeSync, openSync, readSync, unlinkSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RecordSpool } from '../compile/release-output.ts';

/** Records are gathered up to this many bytes before they are written. */
const WRITE_SIZE = 1024 * 1024;

/**
 * Records one after another, in memory while they are few, then in a file.
 *
 * Synchronous: the file stays in the system's cache, where a call takes microseconds, and a hundred
 * thousand waits for a thread pool take seconds.
 */
export class FileSpool implements RecordSpool {
  private readonly open: () => number;
  private file: number | null = null;
  private readonly gathered = new Uint8Array(WRITE_SIZE);
  /** Bytes in the file, and after them in memory. */
  private written = 0;
  private gatheredBytes = 0;

  /** @param path of the file, which must not exist; by default one without a name, gone with the process */
  constructor(path?: string) {
    this.open = path === undefined ? openNameless : () => openSync(path, 'wx+');
  }

  append(record: Uint8Array): number {
    const offset = this.written + this.gatheredBytes;
    if (this.gatheredBytes + record.length > WRITE_SIZE) {
      this.write(this.gathered.subarray(0, this.gatheredBytes));
      this.gatheredBytes = 0;
    }
    if (record.length > WRITE_SIZE) this.write(record);
    else {
      this.gathered.set(record, this.gatheredBytes);
      this.gatheredBytes += record.length;
    }
    return offset;
  }

  /** A record lies whole in the file, or whole in memory. */
  read(offset: number, record: Uint8Array): void {
    const { length } = record;
    if (offset >= this.written && offset + length <= this.written + this.gatheredBytes) {
      const start = offset - this.written;
      record.set(this.gathered.subarray(start, start + length));
      return;
    }
    for (let done = 0; done < length; ) {
      const at = offset + done;
      const count = this.file === null ? 0 : readSync(this.file, record, done, length - done, at);
      if (count === 0) throw new RangeError(`no record of ${length} bytes at ${offset}`);
      done += count;
    }
  }

  close(): void {
    if (this.file !== null) closeSync(this.file);
  }

  private write(bytes: Uint8Array): void {
    this.file ??= this.open();
    for (let done = 0; done < bytes.length; ) done += writeSync(this.file, bytes, done);
    this.written += bytes.length;
  }
}

function openNameless(): number {
  const path = join(tmpdir(), `store-spool-${crypto.randomUUID()}`);
  const file = openSync(path, 'wx+', 0o600);
  unlinkSync(path);
  return file;
}

/** Values that are kept until they are printed, however many there are, in little memory. */
export class JsonSpool<Value> implements AsyncIterable<Value> {
  private spool: FileSpool | null = null;
  private readonly places: { readonly offset: number; readonly length: number }[] = [];

  add(value: Value): void {
    const text = Buffer.from(JSON.stringify(value));
    this.spool ??= new FileSpool();
    this.places.push({ offset: this.spool.append(text), length: text.length });
  }

  /** All values in order. They can be read once. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Value> {
    for (const { offset, length } of this.places) {
      const text = Buffer.alloc(length);
      this.spool?.read(offset, text);
      yield JSON.parse(text.toString()) as Value;
    }
    this.spool?.close();
  }
}
