/** One suite that every snapshot target passes, whatever storage lies behind it. */
import { describe, expect, it } from 'vitest';
import { deleteAll, putAll } from '../../scripts/storage/in-bulk.ts';
import type { SnapshotTarget } from '../../scripts/storage/key-value-store.ts';

/** Keys below a prefix, sorted. */
export async function keysOf(target: SnapshotTarget, prefix: string): Promise<string[]> {
  const keys: string[] = [];
  for await (const key of target.list(prefix)) keys.push(key);
  return keys.sort();
}

/** @param open returns the target under test, which may hold what earlier tests put there */
export function describeTarget(name: string, open: () => SnapshotTarget): void {
  describe(name, () => {
    it('returns the bytes that were put, and the last ones', async () => {
      const target = open();
      const bytes = Uint8Array.from({ length: 100_000 }, (_, index) => index % 251);
      expect(await target.get('bytes/a')).toBeNull();
      // A view into the middle of a buffer: what lies around it is not its content.
      await target.put('bytes/a', bytes.subarray(7, 60_000));
      expect(await target.get('bytes/a')).toEqual(bytes.slice(7, 60_000));
      await target.put('bytes/a', bytes);
      expect(await target.get('bytes/a')).toEqual(bytes);
      expect(await keysOf(target, 'bytes/')).toEqual(['bytes/a']);
    });

    it('puts, lists and removes more than a page, and nothing else', async () => {
      const target = open();
      const names = Array.from({ length: 1003 }, (_, index) => String(index).padStart(4, '0'));
      const keys = names.map((each) => `list/${each}`);
      const bytesOf = (key: string) => new TextEncoder().encode(`value of ${key}`);
      const uploads = ['lisu/1', 'lis', ...keys].map((key) => {
        const bytes = bytesOf(key);
        return { key, size: bytes.length, read: async () => bytes };
      });
      const stored: string[] = [];
      await putAll(target, uploads, ({ key }) => stored.push(key));
      expect(stored.sort()).toEqual(uploads.map(({ key }) => key).sort());
      expect(await keysOf(target, 'list/')).toEqual(keys);
      expect(await keysOf(target, 'none/')).toEqual([]);
      for (const key of ['list/0000', 'list/1002']) {
        expect(await target.get(key)).toEqual(bytesOf(key));
      }
      await deleteAll(target, [...keys.slice(983), 'list/never']);
      expect(await keysOf(target, 'list/')).toEqual(keys.slice(0, 983));
    });

    it('forgets what is deleted', async () => {
      const target = open();
      await target.put('delete/a', new Uint8Array([1]));
      await target.put('delete/b', new Uint8Array([2]));
      await target.delete('delete/a');
      await target.delete('delete/never');
      expect(await target.get('delete/a')).toBeNull();
      expect(await keysOf(target, 'delete/')).toEqual(['delete/b']);
    });
  });
}
