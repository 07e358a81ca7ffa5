/** Many values into KV through the API: batches, partial failures, nothing lost. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ATTEMPTS } from '../../scripts/storage/cloudflare-api.ts';
import type { Upload } from '../../scripts/storage/key-value-store.ts';
import { bulkBody, planBatches } from '../../scripts/storage/kv-limits.ts';
import { openKv, openStandIn } from '../support/cloudflare/stage.ts';
import type { Fault } from '../support/cloudflare/stand-in.ts';
import { ok, refuse } from '../support/cloudflare/stand-in-answer.ts';

const standIn = await openStandIn();

const EVERY_BYTE = Uint8Array.from({ length: 256 }, (_, index) => index);

/** Bytes of every value, so that base64 and text cannot be mistaken for one another. */
function bytesOf(seed: number, size: number): Uint8Array {
  const bytes = new Uint8Array(size);
  for (let at = 0; at < size; at += EVERY_BYTE.length) {
    bytes.set(EVERY_BYTE.subarray(0, size - at), at);
  }
  if (size > 0) bytes[0] = seed % 256;
  return bytes;
}

function uploadOf(key: string, bytes: Uint8Array): Upload {
  return { key, size: bytes.length, read: () => Promise.resolve(bytes) };
}

const uploads = (count: number, size = 100) =>
  Array.from({ length: count }, (_, index) => uploadOf(`object/${index}`, bytesOf(index, size)));

/** Puts everything and returns the keys that were told of, in order. */
async function putAll(all: readonly Upload[]): Promise<string[]> {
  const stored: string[] = [];
  await openKv(standIn).putAll(all, ({ key }) => stored.push(key));
  return stored;
}

async function expectStored(all: readonly Upload[]): Promise<void> {
  const { values } = standIn.snapshots;
  expect([...values.keys()].sort()).toEqual(all.map(({ key }) => key).sort());
  for (const { key, read } of all) {
    expect(values.get(key)?.equals(await read())).toBe(true);
  }
}

describe('batches', () => {
  it('hold everything in order, within the limits by the bytes of their bodies', () => {
    const pair = fc.record({ key: fc.string({ maxLength: 20 }), size: fc.nat(400) });
    const limits = { body: 1000, items: 5 };
    fc.assert(
      fc.property(fc.array(pair, { maxLength: 60 }), (pairs) => {
        const batches = planBatches(pairs, limits);
        expect(batches.flat()).toEqual(pairs);
        for (const batch of batches) {
          const body = bulkBody(batch.map(({ key, size }) => ({ key, bytes: bytesOf(1, size) })));
          expect(body.length).toBeLessThanOrEqual(limits.body);
          expect(batch.length).toBeLessThanOrEqual(limits.items);
        }
      }),
    );
  });

  it('are as full as they can be', () => {
    const body = bulkBody([1, 2, 3].map((key) => ({ key: `${key}`, bytes: bytesOf(key, 300) })));
    const pairs = Array.from({ length: 7 }, (_, key) => ({ key: `${key}`, size: 300 }));
    const lengths = (limit: number) =>
      planBatches(pairs, { body: limit, items: 100 }).map((batch) => batch.length);
    // A byte for the comma that the last pair of a body does without.
    expect(lengths(body.length + 1)).toEqual([3, 3, 1]);
    expect(lengths(body.length - 1)).toEqual([2, 2, 2, 1]);
  });

  it('are read only when their turn comes, and not after an error', async () => {
    standIn.failNext({ kind: 'answer', answer: refuse(403, 10_000, 'Authentication error') });
    const read: string[] = [];
    const large = uploads(6, 20_000_000).map((upload) => ({
      ...upload,
      read: () => {
        read.push(upload.key);
        return upload.read();
      },
    }));
    await expect(putAll(large)).rejects.toThrow('Authentication error');
    expect(read.length).toBeLessThan(large.length);
  });

  it.each([
    [
      'a key of 513 bytes',
      uploadOf(`${'é'.repeat(256)}e`, new Uint8Array()),
      'too long for KV: 513',
    ],
    ['a value above 25 MiB', uploadOf('a', new Uint8Array(26_214_401)), 'too large for KV'],
  ])('are not sent with %s', async (_name, upload, message) => {
    await expect(putAll([...uploads(1), upload])).rejects.toThrow(message);
    await expect(openKv(standIn).put(upload.key, await upload.read())).rejects.toThrow(message);
    expect(standIn.requests).toEqual([]);
  });
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
    await expectStored(all);
    expect(stored.sort()).toEqual(all.map(({ key }) => key).sort());
    const sent = standIn.requests.map(({ body }) => JSON.parse(body.toString()).length);
    expect(sent).toEqual([20, 3, 3, 2, 1, 1]);
  });

  it('end the command when they never get there', async () => {
    standIn.snapshots.losesKey = (key) => key === 'object/4';
    await expect(putAll(uploads(9))).rejects.toMatchObject({
      code: 'bulk_incomplete',
      message: expect.stringContaining('such as object/4'),
      details: { keys: ['object/4'] },
    });
    expect(standIn.requests).toHaveLength(ATTEMPTS);
  });

  it.each([
    ['the counts do not add up', { successful_key_count: 8, unsuccessful_keys: [] }],
    ['they are none of ours', { successful_key_count: 8, unsuccessful_keys: ['other'] }],
  ])('are everything when %s', async (_name, result) => {
    standIn.failNext({ kind: 'answer', answer: ok(result) });
    const all = uploads(9);
    expect(await putAll(all)).toHaveLength(9);
    await expectStored(all);
    expect(standIn.requests).toHaveLength(2);
  });

  it('are none when an older API says nothing of them', async () => {
    standIn.failNext({ kind: 'answer', answer: ok(null) });
    expect(await putAll(uploads(9))).toHaveLength(9);
    expect(standIn.requests).toHaveLength(1);
  });

  it('can be deletions', async () => {
    const all = uploads(30);
    await putAll(all);
    let losses = 2;
    standIn.snapshots.losesKey = (key) => key.endsWith('7') && losses-- > 0;
    await openKv(standIn).deleteAll(all.slice(5).map(({ key }) => key));
    await expectStored(all.slice(0, 5));
  });
});

describe('a storm of faults', () => {
  const FAULTS: readonly Fault[] = [
    { kind: 'answer', answer: refuse(429, 971, 'Please wait', { 'retry-after': '2' }) },
    { kind: 'answer', answer: refuse(503, 10_001, 'Unavailable') },
    { kind: 'drop' },
    { kind: 'drop answer' },
    { kind: 'delay', delay: 1 },
  ];

  it('loses nothing, whatever their order', async () => {
    const orders = fc.array(fc.constantFrom(...FAULTS), { maxLength: ATTEMPTS - 1 });
    const losses = fc.array(fc.nat(19), { maxLength: ATTEMPTS - 1 });
    await fc.assert(
      fc.asyncProperty(orders, losses, async (faults, lost) => {
        standIn.reset();
        standIn.failNext(...faults);
        const left = lost.map((index) => `object/${index}`);
        standIn.snapshots.losesKey = (key) => key === left[0] && left.shift() !== undefined;
        const all = uploads(20);
        expect((await putAll(all)).sort()).toEqual(all.map(({ key }) => key).sort());
        await expectStored(all);
      }),
      { numRuns: 60 },
    );
  });
});
