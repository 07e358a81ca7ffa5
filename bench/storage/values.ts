/**
 * The values of KV, read from folders: objects of the snapshot from where `snapshot build` wrote
 * them, everything else from a folder of small documents, which may change at any time.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { TOKEN_KEY_PREFIX } from '../../src/auth/token.ts';
import { OBJECT_PREFIX, POINTER_KEY, RELEASE_PREFIX } from '../../src/snapshot/keys.ts';
import type { KeyKind } from './protocol.ts';

export interface Folders {
  /** Looked through in this order: one for each release. */
  readonly objects: readonly string[];
  readonly documents: string;
}

export interface Value {
  /** As KV holds it. */
  readonly stored: Buffer;
  /** Whether `stored` can stand between the quotes of JSON as it is. */
  readonly isPlain: boolean;
  /** Length before any encoding. */
  readonly bytes: number;
}

/** The value of `key`, or null when there is none. */
export async function readValue(folders: Folders, key: string): Promise<Value | null> {
  if (!key.startsWith(OBJECT_PREFIX)) {
    const stored = await readIfThere(join(folders.documents, key));
    return stored && { stored, isPlain: false, bytes: stored.length };
  }
  for (const folder of folders.objects) {
    const bytes = await readIfThere(join(folder, key.split('/').at(-1) as string));
    if (!bytes) continue;
    // The bytes of an object lie in KV as base64.
    const stored = Buffer.from(bytes.toString('base64'), 'latin1');
    return { stored, isPlain: true, bytes: bytes.length };
  }
  return null;
}

/** @param parts keys of all index parts: every other object is a chunk */
export function kindOf(key: string, parts: ReadonlySet<string>): KeyKind {
  if (key === POINTER_KEY) return 'pointer';
  if (key.startsWith(TOKEN_KEY_PREFIX)) return 'token';
  if (key.startsWith(RELEASE_PREFIX)) return 'release';
  if (parts.has(key)) return 'part';
  return key.startsWith(OBJECT_PREFIX) ? 'chunk' : 'other';
}

function readIfThere(file: string): Promise<Buffer | null> {
  return readFile(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
}
