/** Compiled records in a file, between the two passes of a compilation. */
import { closeSync, openSync, readSync, writeSync } from 'node:fs';
import type { RecordSpool } from '../../src/compile/release-output.ts';

/** Records are gathered up to this many bytes before they are written. */
const WRITE_SIZE = 1024 * 1024;

/**
 * Synchronous beneath its promises: the file stays in the system's cache, where a call takes
 * microseconds, and a hundred thousand waits for a thread pool take seconds.
 */
export class FileSpool implements RecordSpool {
  private readonly file: number;
  private unwritten: Uint8Array[] = [];
  private unwrittenBytes = 0;
  private length = 0;

  /** Creates the file `path`, which must not exist. */
  constructor(path: string) {
    this.file = openSync(path, 'wx+');
  }

  async append(record: Uint8Array): Promise<number> {
    const offset = this.length;
    this.unwritten.push(record);
    this.unwrittenBytes += record.length;
    this.length += record.length;
    if (this.unwrittenBytes >= WRITE_SIZE) this.flush();
    return offset;
  }

  async read(offset: number, length: number): Promise<Uint8Array> {
    this.flush();
    const bytes = new Uint8Array(length);
    let done = 0;
    while (done < length) {
      const count = readSync(this.file, bytes, done, length - done, offset + done);
      if (count === 0) throw new RangeError(`no record of ${length} bytes at ${offset}`);
      done += count;
    }
    return bytes;
  }

  close(): void {
    closeSync(this.file);
  }

  private flush(): void {
    if (this.unwrittenBytes === 0) return;
    const bytes = Buffer.concat(this.unwritten, this.unwrittenBytes);
    for (let done = 0; done < bytes.length; ) done += writeSync(this.file, bytes, done);
    this.unwritten = [];
    this.unwrittenBytes = 0;
  }
}
