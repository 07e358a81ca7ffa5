/**
 * The program of the guide on keeping a copy, as it stands there, before places that lag behind each
 * other while releases change: each run ends with a copy that equals the release it names. Its waits
 * pass in the time of the places. GUIDE_COPIES sets how many copies it keeps, GUIDE_SEED where they
 * begin. Then what it makes of every form of `Retry-After`. And what it says where it cannot begin:
 * without an address or a token, or with a copy that cannot be read.
 */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { exampleWith } from '../support/markdown-examples.ts';
import { describeWith } from '../support/other-languages.ts';
import type { PlainStore } from './support/plain-stores.ts';
import { Places } from './support/simulated-places.ts';

const run = promisify(execFile);

const GUIDE = new URL('../../docs/guides/keeping-a-copy.md', import.meta.url);
const COPIES = Number(process.env.GUIDE_COPIES ?? 2);
const SEED = Number(process.env.GUIDE_SEED ?? 1);
/** Runs of the program for one copy. */
const SYNCS = 4;
/** Releases that change while the program runs, at least. */
const LEAST_TURNS = 10;

/** Seconds that a program sleeps pass at once, in the time of the places. */
const SLEEP = `import os, time, urllib.request
monotonic, slept = time.monotonic, []
def sleep(seconds):
    slept.append(seconds)
    urllib.request.urlopen(f"{os.environ['BASE_URL']}/sleep?seconds={seconds}").close()
time.sleep = sleep
time.monotonic = lambda: monotonic() + sum(slept)
`;

/** A program that has slept finds that half an hour has passed, and gives up. */
const HALF_AN_HOUR = 30 * 60;
const OVERSLEEP = `import time
monotonic, slept = time.monotonic, []
time.sleep = slept.append
time.monotonic = lambda: monotonic() + ${HALF_AN_HOUR} * len(slept)
`;

interface Kept {
  readonly release: string;
  readonly stores: Readonly<Record<string, PlainStore>>;
}

/** Headers that the program waits for five seconds after: no whole number, or a smaller one. */
const FIVE_SECONDS = [
  ...['', '-5', '+30', '1.5', '1_0', '5, 5', 'soon', 'NaN', '0', '4', '5 '],
  ...['Sun, 06 Nov 1994 08:49:37 GMT', 'Fri, 01 Jan 2100 00:00:00 GMT'],
];

let folder: string;
let places: Places;
/** How the next requests are refused before the places are asked. */
let refusals: { readonly status: number; readonly retryAfter: string }[] = [];
/** In place of the header that the places send; null: theirs. */
let retryAfter: string | null = null;

const server = createServer((request, response) => {
  answer(request, response).catch(() => request.socket.destroy());
});
let origin: string;

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '', origin);
  if (url.pathname === '/sleep') {
    places.pass(Number(url.searchParams.get('seconds')) * 1000);
    response.end();
    return;
  }
  const refusal = refusals.shift();
  if (refusal) {
    response.writeHead(refusal.status, { 'retry-after': refusal.retryAfter }).end('refused');
    return;
  }
  const answered = await places.fetch(url.href);
  const headers = Object.fromEntries(answered.headers);
  if (retryAfter !== null && answered.status === 503) headers['retry-after'] = retryAfter;
  response.writeHead(answered.status, headers).end(await answered.text());
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'guide-copy-'));
  const markdown = await readFile(GUIDE, 'utf8');
  const mark = 'Keeps a copy of all stores in copy.json.';
  await writeFile(join(folder, 'keep.py'), exampleWith(markdown, 'python', mark));
  await writeFile(join(folder, 'sitecustomize.py'), SLEEP);
  await mkdir(join(folder, 'oversleep'));
  await writeFile(join(folder, 'oversleep', 'sitecustomize.py'), OVERSLEEP);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterEach(async () => {
  refusals = [];
  retryAfter = null;
  await rm(join(folder, 'copy.json'), { force: true });
});

afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await rm(folder, { recursive: true, force: true });
});

/** Of another address: here no number ever is so high. */
const FOREIGN: Kept = {
  release: '900-cf0e1d2',
  stores: { foreign: { id: 'foreign', slug: 'foreign', profile: { name: 'F', verticales: [] } } },
};

/** What the program says when it has waited for a foreign release long enough. */
const NOT_ARRIVED = 'Walking the whole list anew: {"type":"/docs/problems/release_not_here_yet"';

/** Runs the program once. @returns the copy that it has written, and what it says meanwhile */
async function keep(): Promise<Kept & { readonly stderr: string }> {
  const env = { ...process.env, BASE_URL: origin, TOKEN: 'sk_test_x', PYTHONPATH: folder };
  const { stdout, stderr } = await run('python3', ['keep.py'], { cwd: folder, env });
  const kept: Kept = JSON.parse(await readFile(join(folder, 'copy.json'), 'utf8'));
  const count = Object.keys(kept.stores).length;
  expect(stdout).toBe(`${count} stores of release ${kept.release}\n`);
  return { ...kept, stderr };
}

async function keepCopies(): Promise<void> {
  const totals: Record<string, number> = { during: 0 };
  for (let seed = SEED; seed < SEED + COPIES; seed++) {
    places = new Places(seed);
    const isForeign = seed === SEED;
    await rm(join(folder, 'copy.json'), { force: true });
    if (isForeign) await writeFile(join(folder, 'copy.json'), JSON.stringify(FOREIGN));
    for (let sync = 0; sync < SYNCS; sync++) {
      const before = places.counts.turns;
      const { release, stores, stderr } = await keep();
      if (isForeign && sync === 0) expect(stderr).toContain(NOT_ARRIVED);
      totals.during = (totals.during ?? 0) + places.counts.turns - before;
      const expected = Object.fromEntries(places.storesOf(release, null));
      expect(stores, `seed ${seed}, sync ${sync}`).toEqual(expected);
      places.pass(places.random() * (places.chance(0.2) ? 24 * 3600_000 : 200_000));
    }
    for (const [name, count] of Object.entries(places.counts)) {
      totals[name] = (totals[name] ?? 0) + count;
    }
  }
  if (process.env.GUIDE_COPIES) console.log(totals);
  expect(totals.during).toBeGreaterThanOrEqual(LEAST_TURNS);
  for (const hardship of ['rollbacks', 'early', 'refused', 'older', 'newer', 'broken']) {
    expect(totals[hardship], hardship).toBeGreaterThan(0);
  }
}

/** Runs the program where it cannot do its work, in a folder without a copy or with what is no file. */
async function keepNothing(
  variables: NodeJS.ProcessEnv,
  copy: 'none' | 'a folder' = 'none',
): Promise<{ readonly stderr: string }> {
  const cwd = await mkdtemp(join(folder, 'nothing-'));
  if (copy === 'a folder') await mkdir(join(cwd, 'copy.json'));
  const usual = { BASE_URL: origin, TOKEN: 'sk_test_x', PYTHONPATH: join(folder, 'oversleep') };
  const env = { ...process.env, ...usual, ...variables };
  const outcome = await run('python3', [join(folder, 'keep.py')], { cwd, env }).catch(
    (error) => error,
  );
  expect(outcome).toMatchObject({ code: 1, stdout: '' });
  expect(await readdir(cwd)).toEqual(copy === 'none' ? [] : ['copy.json']);
  return outcome;
}

describe('the program of the guide on keeping a copy', () => {
  describeWith('python3', () => {
    it('keeps copies that equal the releases they name', keepCopies);

    it('waits five seconds at least, and as long where Retry-After is no whole number', async () => {
      places = new Places(SEED);
      const retryAfters = [...FIVE_SECONDS, '7'];
      const statuses = [429, 502, 503, 504, 520, 530];
      refusals = retryAfters.map((each, index) => {
        return { status: statuses[index % statuses.length] as number, retryAfter: each };
      });
      const { stderr } = await keep();
      const waits = [...stderr.matchAll(/^Waiting (\d+) s: refused$/gm)].map(([, wait]) => wait);
      expect(waits).toEqual([...FIVE_SECONDS.map(() => '5'), '7']);
    });

    it.each(['0', '1.5'])(
      'waits five minutes for a release that does not arrive, with Retry-After %s',
      async (value) => {
        places = new Places(SEED);
        retryAfter = value;
        await writeFile(join(folder, 'copy.json'), JSON.stringify(FOREIGN));
        const { stderr } = await keep();
        expect(stderr).toContain(NOT_ARRIVED);
        const waits = stderr.match(/^Waiting 5 s: .*release_not_here_yet/gm) ?? [];
        expect(waits.length).toBeGreaterThan(40);
        expect(waits.length).toBeLessThanOrEqual(60);
      },
    );

    it('ends when Retry-After asks for more than half an hour', async () => {
      refusals = [{ status: 503, retryAfter: '9'.repeat(5000) }];
      const { stderr } = await keepNothing({});
      expect(stderr).toBe('The service has kept us waiting for too long: refused\n');
    });

    it.each([
      ['without an address', { BASE_URL: undefined }, 'BASE_URL'],
      ['without a token', { TOKEN: undefined }, 'TOKEN'],
      ['with what is no address', { BASE_URL: 'directory' }, 'directory'],
      ['with an address without http://', { BASE_URL: 'localhost:8787' }, 'localhost:8787'],
    ])('ends at once %s', async (_when, variables, words) => {
      const { stderr } = await keepNothing(variables);
      expect(stderr).toContain(words);
      expect(stderr).not.toContain('Waiting');
    });

    it('ends at once where its copy is there and cannot be read', async () => {
      const { stderr } = await keepNothing({}, 'a folder');
      expect(stderr).toContain('IsADirectoryError');
    });
  });
});
