/** What the tools of an older version of the format, an invented one, have in storage. */
import { encodeJson } from '../../scripts/storage/key-value-store.ts';
import { FORMAT_VERSION, pointerKeyIn, runKeyIn, snapshotPrefix } from '../../src/snapshot/keys.ts';

export const OTHER_VERSION = FORMAT_VERSION - 1;
export const OTHER_POINTER_KEY = pointerKeyIn(OTHER_VERSION);

const PREFIX = snapshotPrefix(OTHER_VERSION);
const RELEASE = '2'.repeat(16);

/** Values by key. @param publishedAt when its pointer was turned @param ranAt when a publication last ran */
export function otherVersionValues(
  publishedAt: string,
  ranAt = publishedAt,
): Map<string, Uint8Array> {
  const document = encodeJson({ format: OTHER_VERSION, release: RELEASE, publishedAt });
  return new Map([
    [OTHER_POINTER_KEY, document],
    [`${PREFIX}release/${RELEASE}`, document],
    [`${PREFIX}object/${'a'.repeat(32)}`, Uint8Array.from([1, 2, 255])],
    [runKeyIn(OTHER_VERSION), encodeJson({ ranAt, release: RELEASE })],
    [`${PREFIX}of-a-kind-not-known-here/x/y`, document],
  ]);
}
