/**
 * The platform ends requests half-way: for memory, CPU, a client that left. Whatever such a request was
 * doing, the others are answered as if it had never been.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { generateToken } from '../../scripts/token/new-token.ts';
import { type ServedWorker, serveWorker } from '../support/served-stores.ts';
import { buildProfile, buildStore, storeId } from '../support/stores/store-builder.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const LIST = '/v2/external/stores';

/** Milliseconds that a read takes. */
const DELAY = 60;

const SMALL = Array.from({ length: 40 }, (_, index) => buildStore(index + 1));

/** Stores of 5 MB, each a chunk of its own, after the others: two of them have room at a time. */
const LARGE = Array.from({ length: 4 }, (_, index) =>
  buildStore(1000 + index, {
    profile: buildProfile({ description: { fr: 'x'.repeat(5_000_000) } }),
  }),
);
/** The page of one of them. */
const large = (index: number) => `${LIST}?skip=${SMALL.length + index}&limit=1&fields=slug`;

const folder = temporaryFolder();
let served: ServedWorker;
let token: string;
let first: string;
let second: string;

beforeAll(async () => {
  const entry = 'test/load/support/ending-worker.ts';
  served = await serveWorker({ entry, folder, requests: 1e6 });
  token = await served.issue();
  first = await served.publish(SMALL);
  second = await served.publish([...SMALL, ...LARGE]);
});

afterAll(() => served?.close());

/** What a request sends, and when it is ended. */
interface Ending {
  /** When its service begins so many reads from now on. */
  readonly at?: number;
  /** After so many milliseconds. */
  readonly after?: number;
  /** Sent in the place of the one that was issued. */
  readonly sent?: string;
}

/** Asks a service, which is a fresh isolate when it is asked for the first time. */
async function ask(service: string, path: string, { at = 0, after = 0, sent }: Ending = {}) {
  const headers = {
    'x-access-token': sent ?? token,
    'x-service': service,
    'x-ends-at': `${at}`,
    'x-ends-after': `${after}`,
  };
  const response = await fetch(served.origin + path, { headers });
  const release = response.headers.get('x-snapshot-release');
  return { status: response.status, body: await response.text(), release };
}

/** Sets how the storage of a service behaves, as `ending-worker.ts` says; returns what it was asked for so far. */
async function storage(service: string, order: object = {}) {
  const body = JSON.stringify(order);
  const headers = { 'x-service': service };
  const response = await fetch(`${served.origin}/storage`, { method: 'POST', headers, body });
  return (await response.json()) as { readonly keys: string[]; readonly open: number };
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

/** Waits until a service has begun so many reads. */
async function begun(service: string, reads: number): Promise<void> {
  await expect.poll(async () => (await storage(service)).keys.length).toBeGreaterThanOrEqual(reads);
}

const asked = <Value>(count: number, ask: () => Promise<Value>) =>
  Promise.all(Array.from({ length: count }, ask));

describe.each(Object.entries(PATHS))('%s', (name, path) => {
  it('is answered to all others, wherever the first request of an isolate is ended', async () => {
    const expected = await ask(`${name} whole`, path());
    expect(expected.status).toBe(200);
    const { keys } = await storage(`${name} whole`);
    // Each read asks for a key at least, so that the last tries are not ended at all.
    await Promise.all(
      Array.from({ length: Math.min(keys.length, 8) }, async (_, index) => {
        const service = `${name} ended at ${index + 1}`;
        await storage(service, { delay: DELAY });
        const ended = ask(service, path(), { at: index + 1 });
        await begun(service, 1);
        const during = asked(10, () => ask(service, path()));
        expect([200, 599]).toContain((await ended).status);
        const after = asked(10, () => ask(service, path()));
        for (const answer of [...(await during), ...(await after)])
          expect(answer).toEqual(expected);
        await expect.poll(async () => (await storage(service)).open).toBe(0);
      }),
    );
  });
});

describe.concurrent('a request that is ended', () => {
  it('in a second read leaves the others a third one', async () => {
    const service = 'second read';
    await ask(service, `${LIST}?limit=0`);
    const path = `${LIST}/store-9?fields=slug`;
    await storage(service, { delay: DELAY, hanging: 2 });
    // The first one waits for the slugs part; what comes then begins the second read, after a second.
    expect((await ask(service, path, { at: 1 })).status).toBe(599);
    const { keys } = await storage(service);
    const ended = ask(service, path, { at: 1 });
    await begun(service, keys.length + 1);
    expect((await ended).status).toBe(599);
    for (const answer of await asked(10, () => ask(service, path))) {
      expect(answer.status).toBe(200);
    }
  });

  it('while its unknown token is looked up keeps no other out', async () => {
    const service = 'guesses';
    await storage(service, { delay: 600 });
    const guess = (after = 0) => ask(service, LIST, { sent: generateToken('development'), after });
    for (const { status } of await asked(9, () => guess(150))) expect(status).toBe(599);
    await storage(service, { delay: DELAY });
    for (const { status } of await asked(8, () => guess())) expect(status).toBe(401);
  });

  it('while it waits for room keeps no other out', async () => {
    const service = 'room';
    await ask(service, `${LIST}?limit=0`);
    await storage(service, { delay: 600 });
    const fill = [0, 1].map((index) => ask(service, large(index)));
    await wait(100);
    const ended = asked(3, () => ask(service, large(2), { after: 150 }));
    const others = [2, 3].map((index) => ask(service, large(index)));
    for (const { status } of await ended) expect(status).toBe(599);
    // Of the release with the large stores, not of the one before, which serves when they cannot be read.
    for (const { release } of await Promise.all([...fill, ...others])) expect(release).toBe(second);
  });
});

describe('a request that is ended while another release comes', () => {
  it('in a look at the pointer stops neither later looks nor other requests', async () => {
    const service = 'refresh';
    expect((await ask(service, PATHS['a list']())).release).toBe(second);
    const third = await served.publish([...SMALL, buildStore(SMALL.length + 1)]);
    // The pointer is looked at once a second; parts of the new release are read after that.
    for (const at of [1, 2, 3]) {
      await wait(1100);
      await storage(service, { delay: DELAY });
      await ask(service, PATHS['a list'](), { at });
      const answers = await asked(20, () => ask(service, PATHS['a list']()));
      for (const { status } of answers) expect(status).toBe(200);
    }
    const release = async () => (await ask(service, PATHS['a list']())).release;
    await expect.poll(release, { interval: 500 }).toBe(third);
    await expect.poll(async () => (await storage(service)).open).toBe(0);
  });
});
