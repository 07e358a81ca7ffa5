/** Many values into KV through the API: as they lie there, batches, partial failures, nothing lost. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ATTEMPTS } from '../../scripts/storage/cloudflare-api.ts';
import { bulkBody, cutIntoBatches } from '../../scripts/storage/cloudflare-kv.ts';
import { encodeKvValue } from '../../scripts/storage/key-value-store.ts';
import { objectKey } from '../../src/snapshot/keys.ts';
import { MAX_READ_BYTES } from '../../src/storage/reading.ts';
import { openKv, openStandIn } from '../support/cloudflare/stage.ts';
import { ok, refuse } from '../support/cloudflare/stand-in-answer.ts';
import { GENERATION } from '../support/stores/memory-snapshot.ts';

const standIn = await openStandIn();

const EVERY_BYTE = Uint8Array.from({ length: 256 }, (_, index) => index);

/** Bytes of every value, so that base64 and text cannot be mistaken for one another. */
function bytesOf(seed: number, size: number): Uint8Array {
  const bytes = Buffer.alloc(size, EVERY_BYTE);
  bytes[0] = seed % 256;
  return bytes;
}

function uploadOf(key: string, value: Uint8Array) {
  return { key, bytes: value.length, value };
}

type Upload = ReturnType<typeof uploadOf>;

const uploads = (count: number) =>
  Array.from({ length: count }, (_, index) => uploadOf(`object/${index}`, bytesOf(index, 100)));

const bytesOfAll = async (some: readonly Upload[]) => some.map(({ value }) => value);

/** Puts everything and returns the keys that were reported, in order. */
async function putAll(all: readonly Upload[], read = bytesOfAll): Promise<string[]> {
  const stored: string[] = [];
  await openKv(standIn).putAll(all, read, ({ key }) => stored.push(key));
  return stored;
}

function expectStored(all: readonly Upload[]): void {
  const { values } = standIn.snapshots;
  expect([...values.keys()].sort()).toEqual(all.map(({ key }) => key).sort());
  for (const { key, value } of all) expect(values.get(key)?.equals(value)).toBe(true);
}

describe('batches', () => {
  it('hold everything in order, within the limits by the bytes of their bodies', () => {
    const pair = fc.record({ key: fc.stringMatching(/^[\w/]{0,20}$/), bytes: fc.nat(400) });
    const limits = { body: 1000, items: 5 };
    fc.assert(
      fc.property(fc.array(pair, { maxLength: 60 }), (pairs) => {
        const batches = cutIntoBatches(pairs, limits);
        expect(batches.flat()).toEqual(pairs);
        for (const batch of batches) {
          const body = bulkBody(batch.map(({ key, bytes }) => ({ key, value: bytesOf(1, bytes) })));
          expect(body.length).toBeLessThanOrEqual(limits.body);
          expect(batch.length).toBeLessThanOrEqual(limits.items);
        }
      }),
    );
  });

  it('are read only when their turn comes, and not after an error', async () => {
    standIn.failNext(refuse(403, 10_000, 'Authentication error'));
    const read: string[] = [];
    const large = uploads(3).map((each) => ({ ...each, bytes: 20_000_000 }));
    const note = async (some: readonly Upload[]) => {
      read.push(...some.map(({ key }) => key));
      return bytesOfAll(some);
    };
    await expect(putAll(large, note)).rejects.toThrow('Authentication error');
    expect(read.length).toBeLessThan(large.length);
  });
});

describe('an object', () => {
  const KEY = objectKey(GENERATION, '0123456789abcdef'.repeat(2));

  it('is stored as base64, unless the Worker reads it alone, and read back whole', async () => {
    // From the middle of a buffer, too.
    const contents = [
      Uint8Array.of(0, 239, 187, 191, 0).subarray(1),
      ...[0, 100, MAX_READ_BYTES, MAX_READ_BYTES + 1].map((size) => bytesOf(size, size)),
    ];
    const objects = contents.map((content, index) =>
      uploadOf(objectKey(GENERATION, `${index}`.repeat(32)), content),
    );
    await putAll(objects);
    const found = await openKv(standIn).getAll(objects);
    for (const [index, { key, value }] of objects.entries()) {
      expect(Buffer.compare(found[index] ?? new Uint8Array(1), value)).toBe(0);
      const stored = Buffer.from(value.length > MAX_READ_BYTES ? value : value.toBase64());
      expect(standIn.snapshots.values.get(key)?.equals(stored)).toBe(true);
      expect(Buffer.compare(encodeKvValue(key, value), stored)).toBe(0);
    }
  });

  it.each(['77u/AA', '77u_AA==', '77u/AA==\n', ' 77u/AA==', '77u/AB==', '{"a":1}', 'é'])(
    'that is not quite base64 (%j) comes as it is, which its hash tells',
    async (text) => {
      standIn.snapshots.set(KEY, text);
      expect(await openKv(standIn).get(KEY)).toEqual(new TextEncoder().encode(text));
    },
  );
});

describe('keys that the API could not write', () => {
  it('are repeated, they alone, and told of once', async () => {
    const losses = new Map([
      ['object/3', 3],
      ['object/5', 5],
      ['object/8', 2],
    ]);
    standIn.snapshots.losesKey = (key) => {
      const left = losses.get(key) ?? 0;
      losses.set(key, left - 1);
      return left > 0;
    };
    const all = uploads(20);
    const stored = await putAll(all);
    expectStored(all);
    expect(stored.sort()).toEqual(all.map(({ key }) => key).sort());
    const sent = standIn.requests.map(({ body }) => JSON.parse(body.toString()).length);
    expect(sent).toEqual([20, 3, 3, 2, 1, 1]);
  });

  it('end the command when they never get there', async () => {
    standIn.snapshots.losesKey = (key) => key === 'object/4';
    await expect(putAll(uploads(9))).rejects.toMatchObject({
      code: 'api_failed',
      message: expect.stringContaining('left 1 keys undone, such as object/4'),
    });
    expect(standIn.requests).toHaveLength(ATTEMPTS);
  });

  it('are none when an older API says nothing of them', async () => {
    standIn.failNext(ok(null));
    expect(await putAll(uploads(9))).toHaveLength(9);
    expect(standIn.requests).toHaveLength(1);
  });

  it('can be deletions', async () => {
    const all = uploads(30);
    await putAll(all);
    let losses = 2;
    standIn.snapshots.losesKey = (key) => key.endsWith('7') && losses-- > 0;
    await openKv(standIn).deleteAll(all.slice(5).map(({ key }) => key));
    expectStored(all.slice(0, 5));
  });
});
