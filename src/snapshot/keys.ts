/**
 * The version of the snapshot format, and the names under which a snapshot is stored, in KV and R2
 * alike.
 *
 *     snapshot/v<version>/current                     the pointer: small, mutable JSON, a copy of the last entry of the log
 *     snapshot/v<version>/release/<name>              a release that is kept, by the name that partners know, immutable JSON
 *     snapshot/v<version>/object/<generation>/<hash>  index parts and document chunks, immutable
 *     snapshot/v<version>/run                         when a publication last ran to its end: small, mutable JSON
 *
 * and, in R2 whichever of the two serves, what tools alone read and write:
 *
 *     snapshot/v<version>/log/<number>                what went live, by whom and when; created once, never changed
 *
 * A generation is a set of objects that is deleted as a whole. Its name says when it began.
 *
 * The version is part of every key, so that snapshots of two versions lie side by side and a tool
 * meets its own alone. Every key is prefixed: KV's bulk read drops keys that look like integers.
 */

/** Version of everything below `SNAPSHOT_PREFIX`: documents, index parts, chunks. See FORMAT.md. */
export const FORMAT_VERSION = 8;

/** Returns what the keys of a version begin with. */
export function snapshotPrefix(version: number): string {
  return `snapshot/v${version}/`;
}

/** Returns the key of a version's pointer. */
export function pointerKeyIn(version: number): string {
  return `${snapshotPrefix(version)}current`;
}

/** Returns the key of a version's last run. */
export function runKeyIn(version: number): string {
  return `${snapshotPrefix(version)}run`;
}

/** Returns what the keys of a version's log begin with. */
export function logPrefix(version: number): string {
  return `${snapshotPrefix(version)}log/`;
}

export const SNAPSHOT_PREFIX = snapshotPrefix(FORMAT_VERSION);
export const POINTER_KEY = pointerKeyIn(FORMAT_VERSION);
export const LAST_RUN_KEY = runKeyIn(FORMAT_VERSION);
/** Beginning of the log's keys: ten digits follow, so that keys sort as the numbers do. */
export const LOG_PREFIX = logPrefix(FORMAT_VERSION);
export const RELEASE_PREFIX = `${SNAPSHOT_PREFIX}release/`;
export const OBJECT_PREFIX = `${SNAPSHOT_PREFIX}object/`;

/** Returns the key of a release by its name. */
export const releaseKey = (name: string): string => RELEASE_PREFIX + name;
/** Returns what the keys of a generation's objects begin with. */
export const generationPrefix = (generation: string): string => `${OBJECT_PREFIX}${generation}/`;
export const objectKey = (generation: string, hash: string): string =>
  generationPrefix(generation) + hash;
/** Returns the key of the entry of the log with this number. */
export const logKey = (number: number): string => LOG_PREFIX + String(number).padStart(10, '0');

/** Returns the name of a release for partners: its number in the log, which only grows, and its content. */
export const releaseName = (number: number, release: string): string => `${number}-${release}`;

/** What `releaseName` makes. */
export const RELEASE_NAME = /^([1-9]\d{0,9})-([0-9a-f]{16})$/;

/** Returns the number and the content in the name of a release; null for another text. */
export function parseReleaseName(name: string): { number: number; release: string } | null {
  const [, number, release] = RELEASE_NAME.exec(name) ?? [];
  return number === undefined || release === undefined ? null : { number: Number(number), release };
}
