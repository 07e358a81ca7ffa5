/** One suite that every key-value store passes, and one for those that can be a ledger. */
import { describe, expect, it } from 'vitest';
import {
  deleteAll,
  getAll,
  type KeyValueStore,
  type Ledger,
  listKeys,
  putAll,
} from '../../scripts/storage/key-value-store.ts';

const bytesOf = (text: string) => new TextEncoder().encode(text);

/**
 * @param open returns the store under test, which may hold what earlier tests put there
 * @param page how many keys it lists at once
 */
export function describeStore(name: string, open: () => KeyValueStore, page: number): void {
  describe(name, () => {
    it('returns the bytes that were put last, and none once they are deleted', async () => {
      const target = open();
      const bytes = Uint8Array.from({ length: 100_000 }, (_, index) => index % 251);
      expect(await target.get('bytes/a')).toBeNull();
      // A view into the middle of a buffer: what lies around it is not its content.
      await target.put('bytes/a', bytes.subarray(7, 60_000));
      expect(await target.get('bytes/a')).toEqual(bytes.slice(7, 60_000));
      await target.put('bytes/a', bytes);
      expect(await target.get('bytes/a')).toEqual(bytes);
      expect(await listKeys(target, 'bytes/')).toEqual(['bytes/a']);
      for (const key of ['bytes/a', 'bytes/never']) await target.delete(key);
      expect(await target.get('bytes/a')).toBeNull();
      expect(await listKeys(target, 'bytes/')).toEqual([]);
    });

    it('puts, lists and removes more than a page, and nothing else', async () => {
      const target = open();
      const keys = Array.from({ length: page + 23 }, (_, index) => `list/${1_000 + index}`);
      const sized = (key: string) => ({ key, bytes: bytesOf(key).length });
      const uploads = ['lisu/1', 'lis', ...keys].map(sized);
      const read = async (some: readonly { key: string }[]) => some.map(({ key }) => bytesOf(key));
      const stored: string[] = [];
      await putAll(target, uploads, read, ({ key }) => stored.push(key));
      expect(stored.sort()).toEqual(uploads.map(({ key }) => key).sort());
      expect((await listKeys(target, 'list/')).sort()).toEqual(keys);
      expect(await listKeys(target, 'none/')).toEqual([]);
      for (const key of [keys[0], keys.at(-1)] as string[]) {
        expect(await target.get(key)).toEqual(bytesOf(key));
      }
      const some = keys.slice(0, 120);
      const found = await getAll(target, ['list/never', ...some].map(sized));
      expect(found).toEqual([null, ...some.map(bytesOf)]);
      for await (const { key, bytes } of target.list('list/')) {
        expect(bytes).toBe(bytesOf(key).length);
      }
      await deleteAll(target, [...keys.slice(-20), 'list/never']);
      expect((await listKeys(target, 'list/')).sort()).toEqual(keys.slice(0, -20));
    });
  });
}

/** @param open returns the ledger under test */
export function describeLedger(name: string, open: () => Ledger): void {
  describe(`${name} as a ledger`, () => {
    it('creates a key once, and lets one of many win', async () => {
      const ledger = open();
      const rivals = ['a', 'b', 'c', 'd', 'e'];
      const won = await Promise.all(
        rivals.map((rival) => ledger.create('create/b', bytesOf(rival))),
      );
      expect(won.filter(Boolean)).toHaveLength(1);
      const winner = rivals[won.indexOf(true)] ?? '';
      expect(await ledger.get('create/b')).toEqual(bytesOf(winner));
    });

    it('lists in order, with the time of each by its own clock', async () => {
      const ledger = open();
      for (const key of ['order/3', 'order/1', 'order/2']) await ledger.put(key, bytesOf(key));
      const now = await ledger.now();
      const listed = [];
      for await (const { key, storedAt } of ledger.list('order/')) {
        listed.push(key);
        // HTTP tells the time in whole seconds.
        expect(Math.abs(now - storedAt)).toBeLessThan(60_000);
      }
      expect(listed).toEqual(['order/1', 'order/2', 'order/3']);
    });
  });
}
