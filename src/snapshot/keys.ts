/**
 * Names under which a snapshot is stored, in KV and R2 alike.
 *
 *     snapshot/current            the pointer: small, mutable JSON
 *     snapshot/release/<id>       a release manifest, immutable JSON
 *     snapshot/object/<sha-256>   index parts and document chunks, immutable bytes
 *     snapshot/lease/…            who publishes or prunes at present } the publisher's own,
 *     snapshot/history/<id>       since when a release was live      } no reader needs them
 *     snapshot/withdrawn/<id>     a release that was rolled back     }
 *
 * Every key is prefixed: KV's bulk read drops keys that look like integers.
 */
export const POINTER_KEY = 'snapshot/current';
export const RELEASE_PREFIX = 'snapshot/release/';
export const OBJECT_PREFIX = 'snapshot/object/';

export const releaseKey = (release: string): string => RELEASE_PREFIX + release;
export const objectKey = (hash: string): string => OBJECT_PREFIX + hash;
