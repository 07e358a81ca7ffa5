/** Values as they lie in KV: objects that are read together as base64, everything else as it is. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeKvValue, encodeKvValue, storedKvSize } from '../../scripts/storage/kv-value.ts';
import { objectKey } from '../../src/snapshot/keys.ts';
import { MAX_READ_BYTES } from '../../src/storage/reading.ts';
import { GENERATION } from '../support/stores/memory-snapshot.ts';

const OBJECT = objectKey(GENERATION, '0123456789abcdef'.repeat(2));

const bytesOf = (text: string) => new TextEncoder().encode(text);

describe('an object', () => {
  it('is stored as base64 and read as what it was, from the middle of a buffer too', () => {
    expect(encodeKvValue(OBJECT, Uint8Array.of(239, 187, 191, 0)).toString()).toBe('77u/AA==');
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), fc.nat(3), (whole, offset) => {
        const bytes = whole.subarray(offset);
        const value = encodeKvValue(OBJECT, bytes);
        expect(value).toHaveLength(storedKvSize({ key: OBJECT, bytes: bytes.length }));
        expect(decodeKvValue(OBJECT, value)).toEqual(bytes.slice());
      }),
    );
  });

  it.each(['77u/AA', '77u_AA==', '77u/AA==\n', ' 77u/AA==', '77u/AB==', '{"a":1}', 'é'])(
    'that is not quite base64 (%j) comes as it is, which its hash tells',
    (text) => {
      expect(decodeKvValue(OBJECT, bytesOf(text))).toEqual(bytesOf(text));
    },
  );

  it('that is read alone is stored as it is', () => {
    for (const length of [MAX_READ_BYTES, MAX_READ_BYTES + 1]) {
      const bytes = new Uint8Array(length).fill(65, 1);
      const value = encodeKvValue(OBJECT, bytes);
      expect(value).toHaveLength(storedKvSize({ key: OBJECT, bytes: length }));
      expect(value.length === length).toBe(length > MAX_READ_BYTES);
      expect(Buffer.compare(decodeKvValue(OBJECT, value), bytes)).toBe(0);
    }
  });
});
