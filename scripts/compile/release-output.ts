/** Where a compilation keeps records between its passes, and where it sends finished objects. */
import type { Progress } from '../cli/progress.ts';

/** Holds compiled records between the two passes; reads come in any order. */
export interface RecordSpool {
  /** Appends a record and returns its offset. */
  append(record: Uint8Array): number;
  /** Fills `record` with what was appended at `offset`. */
  read(offset: number, record: Uint8Array): void;
}

/** Takes finished objects. Never called twice for one hash within a compilation. */
export interface ObjectSink {
  /** @param bytes belong to the caller again when the promise is fulfilled */
  put(hash: string, bytes: Uint8Array): Promise<void>;
}

export interface CompileIo {
  readonly spool: RecordSpool;
  readonly sink: ObjectSink;
  /** Reading the stores shows its own progress, in bytes. */
  readonly progress?: Pick<Progress, 'begin' | 'update'>;
  readonly signal?: AbortSignal;
  /**
   * The SHA-256 of bytes. Where it is left out, Web Crypto computes it on another thread, and to
   * wait for that takes many times as long as to compute it.
   */
  readonly hash?: (bytes: Uint8Array) => Uint8Array | Promise<Uint8Array>;
}

/** Records in a map by their offset. */
export class MemorySpool implements RecordSpool {
  private readonly records = new Map<number, Uint8Array>();
  private length = 0;

  append(record: Uint8Array): number {
    const offset = this.length;
    this.records.set(offset, record);
    this.length += record.length;
    return offset;
  }

  read(offset: number, record: Uint8Array): void {
    const found = this.records.get(offset);
    if (found?.length !== record.length)
      throw new RangeError(`no record of ${record.length} bytes at ${offset}`);
    record.set(found);
  }
}

/** Objects in a map by their hash. */
export class MemorySink implements ObjectSink {
  readonly objects = new Map<string, Uint8Array>();

  async put(hash: string, bytes: Uint8Array): Promise<void> {
    this.objects.set(hash, bytes.slice());
  }
}
