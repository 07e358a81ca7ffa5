/** A release as the publisher takes it, wherever it lies. */
import type { Manifest, ObjectRef } from '../../src/snapshot/manifest.ts';

export interface CompiledRelease {
  readonly manifest: Manifest;
  /** The bytes of objects, in the same order; null for those that are missing. */
  readonly readObjects: (refs: readonly ObjectRef[]) => Promise<readonly (Uint8Array | null)[]>;
}
