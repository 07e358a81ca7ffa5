/** Small documents are relied on for a while, and the newest read of one counts. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { SealedDocuments } from '../../src/load/sealed-document.ts';
import { FORMAT_VERSION } from '../../src/snapshot/keys.ts';
import { sealJson } from '../../src/storage/sealed-json.ts';
import { HeldSource } from '../support/held-source.ts';
import { TestContext } from '../support/stores/memory-snapshot.ts';

const schema = z.object({ ran: z.int() });

beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] }));
afterEach(() => vi.useRealTimers());

it('a read that comes late does not put an older document in the place of a newer one', async () => {
  const source = new HeldSource();
  const write = (ran: number) =>
    source.values.set('run', new TextEncoder().encode(sealJson({ format: FORMAT_VERSION, ran })));
  const documents = new SealedDocuments(source, schema, 30_000, 'unreadable');
  source.isHolding = true;
  const first = documents.find('run', new TestContext());
  // It has not come after a second: the request that waits begins another read.
  await vi.advanceTimersByTimeAsync(1_000);
  const [old, next] = await source.waitForReads(2);
  write(2);
  next?.finish();
  expect(await first).toEqual({ ran: 2 });
  write(1);
  old?.finish();
  await vi.advanceTimersByTimeAsync(0);
  source.isHolding = false;
  expect(await documents.find('run', new TestContext())).toEqual({ ran: 2 });
});
