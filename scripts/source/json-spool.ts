/** Values that are kept until they are printed, however many there are, in little memory. */
import { closeSync, openSync, readSync, unlinkSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Texts are gathered up to this many characters before they are written to the file. */
const WRITE_LENGTH = 1024 * 1024;
const READ_BYTES = 256 * 1024;
const NEWLINE = 0x0a;

/**
 * Values as lines of JSON: in memory while they are few, then in a file that has no name, so that it
 * goes with the process, whatever ends that.
 */
export class JsonSpool<Value> implements AsyncIterable<Value> {
  private texts: string[] = [];
  private length = 0;
  private file: number | null = null;

  add(value: Value): void {
    const text = `${JSON.stringify(value)}\n`;
    this.texts.push(text);
    this.length += text.length;
    if (this.length >= WRITE_LENGTH) this.flush();
  }

  /** All values in order. They can be read once. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Value> {
    if (this.file !== null) {
      this.flush();
      for (const line of readLines(this.file)) yield JSON.parse(line) as Value;
      closeSync(this.file);
      this.file = null;
    }
    for (const text of this.texts) yield JSON.parse(text) as Value;
  }

  private flush(): void {
    this.file ??= openNameless();
    const bytes = Buffer.from(this.texts.join(''));
    for (let done = 0; done < bytes.length; ) done += writeSync(this.file, bytes, done);
    this.texts = [];
    this.length = 0;
  }
}

function openNameless(): number {
  const path = join(tmpdir(), `store-spool-${crypto.randomUUID()}`);
  const file = openSync(path, 'wx+', 0o600);
  unlinkSync(path);
  return file;
}

function* readLines(file: number): Generator<string> {
  const piece = Buffer.alloc(READ_BYTES);
  let rest = Buffer.alloc(0);
  let position = 0;
  for (;;) {
    const count = readSync(file, piece, 0, piece.length, position);
    if (count === 0) return;
    position += count;
    const bytes = Buffer.concat([rest, piece.subarray(0, count)]);
    let start = 0;
    for (let end = bytes.indexOf(NEWLINE); end !== -1; end = bytes.indexOf(NEWLINE, start)) {
      yield bytes.toString('utf8', start, end);
      start = end + 1;
    }
    rest = bytes.subarray(start);
  }
}
