/**
 * The platform ends requests half-way: for memory, CPU, a client that left. Whatever such a request was
 * doing, the others are answered as if it had never been.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { READ_DEADLINE } from '../../src/storage/reading.ts';
import { type ServedWorker, serveWorker } from '../support/served-stores.ts';
import { buildStore, storeId } from '../support/stores/store-builder.ts';

const LIST = '/v2/external/stores';

/** Milliseconds that a read takes. */
const DELAY = 60;

const STORES = Array.from({ length: 40 }, (_, index) => buildStore(index + 1));

let served: ServedWorker;
let token: string;
let first: string;
let second: string;

beforeAll(async () => {
  served = await serveWorker('test/load/support/ending-worker.ts');
  token = await served.issue();
  first = await served.publish(STORES);
  second = await served.publish([...STORES, buildStore(41)]);
});

afterAll(() => served?.close());

/**
 * Asks a service, which is a fresh isolate when it is asked for the first time.
 * @param endsAt ends the request when its service begins so many reads from now on
 */
async function ask(service: string, path: string, endsAt = 0) {
  const headers = { 'x-access-token': token, 'x-service': service, 'x-ends-at': `${endsAt}` };
  const response = await fetch(served.origin + path, { headers });
  const release = response.headers.get('x-snapshot-release');
  return { status: response.status, body: await response.text(), release };
}

/** Sets how the storage of a service behaves, as `ending-worker.ts` says; returns what was asked of it so far. */
async function storage(service: string, order: object = {}) {
  const body = JSON.stringify(order);
  const headers = { 'x-service': service };
  const response = await fetch(`${served.origin}/storage`, { method: 'POST', headers, body });
  return (await response.json()) as { readonly reads: number; readonly open: number };
}

/** A path for each way to wait: for a token, the pointer, parts, chunks, names, and what is compared. */
const PATHS = {
  'a list': () => `${LIST}?limit=20&fields=slug`,
  'a sorted list near a place': () =>
    `${LIST}?limit=20&fields=slug&sort=name&position.latitude=48&position.longitude=7&position.radius=50`,
  'one store': () => `${LIST}/store-5?fields=slug`,
  'one store by its id': () => `${LIST}/${storeId(7)}?fields=slug`,
  changes: () => `/v2/external/changes?since=${first}&limit=5`,
} as const;

/** Asks three times at once. */
const crowd = <Value>(ask: () => Promise<Value>) => Promise.all([ask(), ask(), ask()]);

describe.each(Object.entries(PATHS))('%s', (name, path) => {
  it('is answered to all others, wherever the first request of an isolate is ended', async () => {
    const expected = await ask(`${name} whole`, path());
    expect(expected.status).toBe(200);
    const { reads } = await storage(`${name} whole`);
    await Promise.all(
      Array.from({ length: reads }, async (_, index) => {
        const service = `${name} ended at ${index + 1}`;
        await storage(service, { delay: DELAY });
        const ended = ask(service, path(), index + 1);
        await expect.poll(async () => (await storage(service)).reads).toBeGreaterThan(0);
        const during = crowd(() => ask(service, path()));
        expect([200, 599]).toContain((await ended).status);
        const after = crowd(() => ask(service, path()));
        for (const answer of [...(await during), ...(await after)])
          expect(answer).toEqual(expected);
        await expect.poll(async () => (await storage(service)).open).toBe(0);
      }),
    );
  });
});

it('a request that is ended in a look at the pointer stops neither later looks nor other requests', async () => {
  const service = 'refresh';
  expect((await ask(service, PATHS['a list']())).release).toBe(second);
  const third = await served.publish(STORES.slice(1));
  // The pointer is looked at once a second; parts of the new release are read after that.
  for (const at of [1, 2, 3]) {
    await wait(1100);
    await storage(service, { delay: DELAY });
    await ask(service, PATHS['a list'](), at);
    const answers = await crowd(() => ask(service, PATHS['a list']()));
    for (const { status } of answers) expect(status).toBe(200);
  }
  const release = async () => (await ask(service, PATHS['a list']())).release;
  await expect.poll(release, { interval: 500 }).toBe(third);
  await expect.poll(async () => (await storage(service)).open).toBe(0);
});

it('an object that takes most of the room for reads is read again soon, wherever its request was ended', async () => {
  const description = { fr: 'a'.repeat(7 * 1024 * 1024) };
  await served.publish([buildStore(1, { 'profile.description': description })]);
  const path = `${LIST}/store-1?fields=slug`;
  const expected = await ask('large whole', path);
  const { reads } = await storage('large whole');
  // One by one: several such reads at once take a slow machine longer than the service waits for one.
  for (let end = 1; end <= reads; end++) {
    const service = `large ended at ${end}`;
    await storage(service, { delay: DELAY });
    await ask(service, path, end);
    // A service without an ended request tells how slow the machine is.
    const late = ask(`large beside ${end}`, path).then(() => wait(READ_DEADLINE / 2));
    expect(await Promise.race([ask(service, path), late])).toEqual(expected);
  }
});
