/** Hashes, and bytes as hexadecimal digits. */

/** The SHA-256 of `bytes`, in hexadecimal. */
export async function sha256(bytes: ArrayBuffer | Uint8Array): Promise<string> {
  return toHex(await sha256Bytes(bytes));
}

/** The SHA-256 of `bytes`, 32 bytes. */
export async function sha256Bytes(bytes: ArrayBuffer | Uint8Array): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>));
}

const HEX_PAIRS = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** `bytes` in hexadecimal, two digits each. */
export function toHex(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += HEX_PAIRS[byte];
  return text;
}

/** The bytes of `text`, an even number of hexadecimal digits. */
export function fromHex(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length / 2);
  for (let index = 0; index < bytes.length; index++) {
    bytes[index] = Number.parseInt(text.slice(2 * index, 2 * index + 2), 16);
  }
  return bytes;
}

/**
 * A 32-bit hash of `text`: FNV-1a (Fowler, Noll, Vo) over its UTF-16 code units, which spreads
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
