/** Compilation in memory, for small sets of stores: tests, and the first run. */
import type { ObjectSink, RecordSpool } from './release-output.ts';

/** Records in a map by their offset. */
export class MemorySpool implements RecordSpool {
  private readonly records = new Map<number, Uint8Array>();
  private length = 0;

  async append(record: Uint8Array): Promise<number> {
    const offset = this.length;
    this.records.set(offset, record);
    this.length += record.length;
    return offset;
  }

  async read(offset: number, length: number): Promise<Uint8Array> {
    const record = this.records.get(offset);
    if (record?.length !== length)
      throw new RangeError(`no record of ${length} bytes at ${offset}`);
    return record;
  }
}

/** Objects in a map by their hash. */
export class MemorySink implements ObjectSink {
  readonly objects = new Map<string, Uint8Array>();

  async put(hash: string, bytes: Uint8Array): Promise<void> {
    this.objects.set(hash, bytes);
  }
}
