/** Where a compilation keeps records between its passes, and where it sends finished objects. */

/** Holds compiled records between the two passes; reads come in any order. */
export interface RecordSpool {
  /** Appends a record and returns its offset. */
  append(record: Uint8Array): Promise<number>;
  read(offset: number, length: number): Promise<Uint8Array>;
}

/** Takes finished objects. Never called twice for one hash within a compilation. */
export interface ObjectSink {
  put(hash: string, bytes: Uint8Array): Promise<void>;
}

export type CompilePhase = 'stores' | 'chunks' | 'index';

/** Called with stores done and, where it is known, the number of all of them. */
export type CompileProgress = (phase: CompilePhase, done: number, total: number | null) => void;

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
