/** Where a compilation keeps records between its passes, and where it sends finished objects. */

/** Holds compiled records between the two passes; reads come in any order. */
export interface RecordSpool {
  /** Appends a record and returns by what it is read. */
  append(record: Uint8Array): number;
  /** Fills `record`, which is as long, with what `append` returned `offset` for. */
  read(offset: number, record: Uint8Array): void;
}

/** Takes finished objects; of one hash it may be given the same bytes twice. */
export interface ObjectSink {
  /** @param bytes belong to the caller again when the promise is fulfilled */
  put(hash: string, bytes: Uint8Array): Promise<void>;
}

export interface CompileIo {
  readonly spool: RecordSpool;
  readonly sink: ObjectSink;
  /** Reading the stores shows its own progress, in bytes. */
  readonly progress?: {
    begin(phase: string, total: number, unit: 'stores'): void;
    update(done: number): void;
  };
  readonly signal?: AbortSignal;
  /**
   * The SHA-256 of bytes. Where it is left out, Web Crypto computes it on another thread, and to
   * wait for that takes many times as long as to compute it.
   */
  readonly hash?: (bytes: Uint8Array) => Uint8Array | Promise<Uint8Array>;
}
