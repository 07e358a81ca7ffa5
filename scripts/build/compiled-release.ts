/** A release as the publisher takes it, wherever it lies. */
import type { Manifest, ObjectRef } from '../../src/snapshot/manifest.ts';

export interface CompiledRelease {
  readonly manifest: Manifest;
  /** The bytes of an object by its hash, or null when it is missing. */
  readonly readObject: (hash: string) => Promise<Uint8Array | null>;
  /** Reads many where that costs less than one by one; those that are missing are left out. */
  readonly readObjects?: (refs: readonly ObjectRef[]) => Promise<ReadonlyMap<string, Uint8Array>>;
}
