/** What a compilation needs, in memory. */
import type { ObjectSink, RecordSpool } from '../../../scripts/compile/compile-release.ts';

/** Records in memory, by number. */
export class MemorySpool implements RecordSpool {
  private readonly records: Uint8Array[] = [];

  append(record: Uint8Array): number {
    return this.records.push(record) - 1;
  }

  read(number: number, record: Uint8Array): void {
    record.set(this.records[number] as Uint8Array);
  }
}

/** Objects in a map by their hash. */
export class MemorySink implements ObjectSink {
  readonly objects = new Map<string, Uint8Array>();

  async put(hash: string, bytes: Uint8Array): Promise<void> {
    this.objects.set(hash, bytes.slice());
  }
}
