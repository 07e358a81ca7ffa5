/** Reads the objects of a snapshot and vouches for them: content, not storage, is trusted. */
import { sha256 } from '../hash.ts';
import { ProblemError } from '../problem.ts';
import { expectEqual } from '../snapshot/format-error.ts';
import { objectKey } from '../snapshot/keys.ts';
import type { ObjectRef } from '../snapshot/manifest.ts';
import type { SnapshotSource } from '../storage/snapshot-source.ts';

const UNREADABLE = 'Part of the store data could not be read from storage.';

export class ObjectReader {
  private readonly source: SnapshotSource;

  constructor(source: SnapshotSource) {
    this.source = source;
  }

  /**
   * The bytes of an object, checked against its length and hash.
   * @throws ProblemError storage_unreachable, when it cannot be read or is not what it should be
   */
  async read(ref: ObjectRef): Promise<ArrayBuffer> {
    try {
      const bytes = await this.find(ref.hash);
      expectEqual(`object ${ref.hash} length`, bytes.byteLength, ref.bytes);
      expectEqual('object hash', await sha256(bytes), ref.hash);
      return bytes;
    } catch (cause) {
      throw new ProblemError('storage_unreachable', UNREADABLE, { cause });
    }
  }

  private async find(hash: string): Promise<ArrayBuffer> {
    const key = objectKey(hash);
    // A fresh object may be behind a miss that an edge cache remembers.
    const bytes =
      (await this.source.read(key, 'immutable')) ?? (await this.source.read(key, 'retry'));
    if (!bytes) throw new Error(`object ${hash} is missing`);
    return bytes;
  }
}
