/** Hashes of bytes and of texts. */

/** Returns the SHA-256 of `bytes`, 32 bytes. */
export async function sha256(bytes: ArrayBuffer | Uint8Array): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>));
}

/**
 * Returns a 32-bit hash of `text`: FNV-1a (Fowler, Noll, Vo) over its UTF-16 code units, which spreads
 * texts evenly and is the same everywhere.
 */
export function textHash(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  // The low bits of FNV-1a are weak; fold the high half in.
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** Returns the same hash as eight hexadecimal digits. */
export function hexadecimalHash(text: string): string {
  return textHash(text).toString(16).padStart(8, '0');
}
