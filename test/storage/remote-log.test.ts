/** Adding to the log over S3's API when a request has to be repeated. */
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { InterruptedError } from '../../scripts/cli/command-error.ts';
import { append, readHead } from '../../scripts/release/log.ts';
import type { Decision } from '../../scripts/release/log-entry.ts';
import { ATTEMPTS } from '../../scripts/storage/cloudflare-api.ts';
import { encodeJson } from '../../scripts/storage/key-value-store.ts';
import { logKey } from '../../src/snapshot/keys.ts';
import { openR2, openStandIn, openTarget, TestClock } from '../support/cloudflare/stage.ts';
import type { Fault } from '../support/cloudflare/stand-in.ts';
import { refuse } from '../support/cloudflare/stand-in-answer.ts';
import { entryTo } from '../support/memory-target.ts';

const standIn = await openStandIn();

const HEAD = { ...entryTo('a'.repeat(16), 1), mark: 'head' };

const RESUME: Decision = { ...HEAD, number: 2, kind: 'resume' };
/** The same as it is read. */
const ADDED = { ...RESUME, mark: expect.any(String), from: expect.any(Number) };

const writes = () => standIn.requests.filter(({ method }) => method === 'PUT');

describe('an entry', () => {
  it.each<[string, Fault]>([
    ['that never arrived is sent again', 'drop'],
    ['that met a rate limit is sent again', refuse(429, 971, 'Please wait')],
    ['that met an internal error is sent again', refuse(500, 10_001, 'Internal error')],
    ['whose answer was lost is known for ours', 'drop answer'],
  ])('%s', async (_what, fault) => {
    standIn.bucket.set(logKey(1), Buffer.from(encodeJson(HEAD)));
    const target = openTarget(standIn, 'kv');
    // Whose token it is, is asked once.
    await readHead(target.ledger);
    standIn.failNext(fault);
    expect(await append(target, RESUME)).toBe(true);
    expect(await readHead(target.ledger)).toEqual(ADDED);
    expect(writes()).toHaveLength(2);
  });

  it('that is under way at an interrupt is waited for', async () => {
    const interruption = new AbortController();
    const target = openTarget(standIn, 'kv', { signal: interruption.signal });
    await target.ledger.now();
    standIn.failNext('delay');
    const before = standIn.requests.length;
    const adding = append(target, RESUME);
    while (standIn.requests.length === before) await setImmediate();
    interruption.abort(new InterruptedError());
    expect(await adding).toBe(true);
    expect(await readHead(target.ledger)).toEqual(ADDED);
  });
});

describe('R2 over S3', () => {
  it.each([-3600_000, 3600_000])(
    'takes a machine whose clock is wrong by %d ms',
    async (offset) => {
      standIn.now = () => Date.now() + offset;
      standIn.bucket.now = standIn.now;
      const ledger = openR2(standIn);
      const before = Date.now() + offset;
      const now = await ledger.now();
      // HTTP tells the time in whole seconds.
      expect(now).toBeGreaterThan(before - 1_000);
      expect(now).toBeLessThanOrEqual(Date.now() + offset);
      expect(await ledger.create('a', new Uint8Array([1]))).toBe(true);
    },
  );

  it('tries again by its clock where that of the API was not right', async () => {
    standIn.bucket.now = () => Date.now() + 3600_000;
    const ledger = openR2(standIn);
    expect(await ledger.get('a')).toBeNull();
    // The id of the token, the refusal, the answer.
    expect(standIn.requests).toHaveLength(3);
    expect(await ledger.now()).toBeGreaterThan(Date.now() + 3500_000);
  });

  it('names the bucket that is not there, whatever is asked of it', async () => {
    const ledger = openR2(standIn, {}, 'no-such-bucket');
    const nothing = new Uint8Array();
    for (const work of [
      () => ledger.create('a', nothing),
      () => ledger.put('a', nothing),
      () => ledger.get('a'),
      () => ledger.list('a')[Symbol.asyncIterator]().next(),
    ]) {
      await expect(work()).rejects.toMatchObject({
        code: 'api_refused',
        message: expect.stringContaining('npx wrangler r2 bucket create no-such-bucket'),
      });
    }
  });

  it('says what it refuses, without the secret', async () => {
    const ledger = openR2(standIn, { variables: { CLOUDFLARE_API_TOKEN: 'another-token' } });
    const error = await ledger.get('a').catch((reason: Error) => reason);
    expect(String(error)).toContain('did not tell the id of CLOUDFLARE_API_TOKEN');
    expect(String(error)).not.toContain('another-token');
  });

  it('asks whose token it is as often as any request, and anew after a failure', async () => {
    const clock = new TestClock();
    const ledger = openR2(standIn, { clock });
    const broken = refuse(500, 10_001, 'Internal error');
    standIn.failNext(...Array(ATTEMPTS).fill(broken));
    await expect(ledger.get('a')).rejects.toMatchObject({ code: 'api_failed' });
    expect([standIn.requests.length, clock.waits.length]).toEqual([ATTEMPTS, ATTEMPTS - 1]);
    expect(await ledger.get('a')).toBeNull();
  });
});
