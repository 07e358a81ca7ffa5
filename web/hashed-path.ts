/** Where the service has a file that is served as it is: its name holds the hash of its content. */
import { createHash } from 'node:crypto';
import { basename, extname } from 'node:path';
import { FILE_PREFIX } from '../src/http/paths.ts';

/** Hexadecimal digits of a hash in a name. */
const HASH_LENGTH = 12;

/** Returns the path in the service of a file that is written as it is. */
export function hashedPath(
  name: string,
  content: Uint8Array | string,
  prefix = FILE_PREFIX,
): string {
  const hash = createHash('sha256').update(content).digest('hex').slice(0, HASH_LENGTH);
  const extension = extname(name);
  return `${prefix}${basename(name, extension)}-${hash}${extension}`;
}
