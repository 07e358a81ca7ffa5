/** What version 2 of the tools left in storage: every kind of key it had. */
import { encodeJson } from '../../scripts/release/published-release.ts';

const RELEASE = '2'.repeat(16);

export const V2_POINTER_KEY = 'snapshot/current';

/** Under which version 2 lists what is there. */
export const V2_PREFIXES = [
  'snapshot/release/',
  'snapshot/object/',
  'snapshot/lease/',
  'snapshot/history/',
  'snapshot/withdrawn/',
];

/** Values by key. @param publishedAt when its pointer was turned */
export function versionTwoValues(publishedAt: string): Map<string, Uint8Array> {
  const old = { holder: 'job', until: publishedAt, process: { machine: 'gone', pid: 1 } };
  return new Map([
    [V2_POINTER_KEY, encodeJson({ format: 2, release: RELEASE, publishedAt })],
    [`snapshot/release/${RELEASE}`, encodeJson({ format: 2, release: RELEASE, publishedAt })],
    [`snapshot/release/${'1'.repeat(16)}`, encodeJson({ format: 2 })],
    [`snapshot/object/${'a'.repeat(64)}`, Uint8Array.from([1, 2, 255])],
    [`snapshot/object/${'b'.repeat(64)}`, Uint8Array.from([0])],
    [`snapshot/object/${'c'.repeat(64)}`, Uint8Array.from([0, 128])],
    ['snapshot/lease/publish/ended', encodeJson(old)],
    [`snapshot/history/${RELEASE}`, encodeJson({ since: publishedAt, after: null })],
    [`snapshot/withdrawn/${'1'.repeat(16)}`, encodeJson({ at: publishedAt, by: 'ops' })],
  ]);
}
