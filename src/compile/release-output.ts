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
