/**
 * The version of the snapshot format, and the names under which a snapshot is stored, in KV and R2
 * alike.
 *
 *     snapshot/v3/current            the pointer: small, mutable JSON
 *     snapshot/v3/release/<id>       a release manifest, immutable JSON
 *     snapshot/v3/object/<hash>      index parts and document chunks, immutable
 *     snapshot/v3/run                when a publication last ran to its end: small, mutable JSON
 *     snapshot/v3/lease/…            who publishes or prunes at present } the publisher's own,
 *     snapshot/v3/history/<id>       since when a release was live      } no reader needs them
 *     snapshot/v3/withdrawn/<id>     a release that was rolled back     }
 *
 * The version is part of every key, so that snapshots of two versions lie side by side and a tool
 * meets its own alone. Up to version 2 keys had no version: `snapshot/current` and so on.
 *
 * Every key is prefixed: KV's bulk read drops keys that look like integers.
 */

/** Version of everything below `SNAPSHOT_PREFIX`: pointer, manifest, index parts, chunks. See FORMAT.md. */
export const FORMAT_VERSION = 3;

/** The first version that is part of its keys. */
const FIRST_KEYED_VERSION = 3;

/** What the keys of a version begin with. */
export function snapshotPrefix(version: number): string {
  return version < FIRST_KEYED_VERSION ? 'snapshot/' : `snapshot/v${version}/`;
}

export const SNAPSHOT_PREFIX = snapshotPrefix(FORMAT_VERSION);
export const POINTER_KEY = `${SNAPSHOT_PREFIX}current`;
export const LAST_RUN_KEY = `${SNAPSHOT_PREFIX}run`;
export const RELEASE_PREFIX = `${SNAPSHOT_PREFIX}release/`;
export const OBJECT_PREFIX = `${SNAPSHOT_PREFIX}object/`;

export const releaseKey = (release: string): string => RELEASE_PREFIX + release;
export const objectKey = (hash: string): string => OBJECT_PREFIX + hash;
