/** Compiled records in a file, between the two passes of a compilation. */
import { closeSync, openSync, readSync, writeSync } from 'node:fs';
import type { RecordSpool } from '../compile/release-output.ts';

/** Records are gathered up to this many bytes before they are written. */
const WRITE_SIZE = 1024 * 1024;

/**
 * Synchronous beneath its promises: the file stays in the system's cache, where a call takes
 * microseconds, and a hundred thousand waits for a thread pool take seconds.
 */
export class FileSpool implements RecordSpool {
  private readonly file: number;
  private readonly unwritten = new Uint8Array(WRITE_SIZE);
  private unwrittenBytes = 0;
  private length = 0;

  /** Creates the file `path`, which must not exist. */
  constructor(path: string) {
    this.file = openSync(path, 'wx+');
  }

  async append(record: Uint8Array): Promise<number> {
    const offset = this.length;
    this.length += record.length;
    if (this.unwrittenBytes + record.length > WRITE_SIZE) this.flush();
    if (record.length > WRITE_SIZE) this.write(record);
    else {
      this.unwritten.set(record, this.unwrittenBytes);
      this.unwrittenBytes += record.length;
    }
    return offset;
  }

  async read(offset: number, record: Uint8Array): Promise<void> {
    this.flush();
    const { length } = record;
    for (let done = 0; done < length; ) {
      const count = readSync(this.file, record, done, length - done, offset + done);
      if (count === 0) throw new RangeError(`no record of ${length} bytes at ${offset}`);
      done += count;
    }
  }

  close(): void {
    closeSync(this.file);
  }

  private flush(): void {
    this.write(this.unwritten.subarray(0, this.unwrittenBytes));
    this.unwrittenBytes = 0;
  }

  private write(bytes: Uint8Array): void {
    for (let done = 0; done < bytes.length; ) done += writeSync(this.file, bytes, done);
  }
}
