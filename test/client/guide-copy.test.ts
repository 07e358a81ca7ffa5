/**
 * The loops of the guide that keeps a copy, as they stand there, before places that lag behind each
 * other while releases change: each ends with a copy that equals the release it names. Their waits
 * pass in the time of the places. GUIDE_COPIES sets how many copies each language keeps, GUIDE_SEED
 * where they begin. And what the loops say where they cannot begin: without an address, a token, an
 * answer, or with a copy that cannot be read.
 */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exampleWith } from '../support/markdown-examples.ts';
import { describeWithPython } from '../support/python.ts';
import type { PlainStore } from './support/plain-stores.ts';
import { Places } from './support/simulated-places.ts';

const run = promisify(execFile);

const GUIDE = new URL('../../docs/guides/keeping-a-copy.md', import.meta.url);
const COPIES = Number(process.env.GUIDE_COPIES ?? 2);
const SEED = Number(process.env.GUIDE_SEED ?? 1);
/** Runs of the program for one copy. */
const SYNCS = 4;
/** Releases that change while the programs of one language run, at least. */
const LEAST_TURNS = 10;

/** Seconds that a program sleeps pass at once, in the time of the places. */
const SLEEP_IN_PYTHON = `import os, time, urllib.request
time.sleep = lambda seconds: urllib.request.urlopen(f"{os.environ['BASE_URL']}/sleep?seconds={seconds}").close()
`;
const SLEEP_IN_NODE = `const wait = globalThis.setTimeout;
globalThis.setTimeout = (done, delay, ...more) =>
  // Others are those of fetch itself.
  delay < 1000 || more.length > 0
    ? wait(done, delay, ...more)
    : void fetch(\`\${process.env.BASE_URL}/sleep?seconds=\${delay / 1000}\`).then(done);
`;

/** A program that has slept finds that half an hour has passed, and gives up. */
const HALF_AN_HOUR = 30 * 60;
const OVERSLEEP_IN_PYTHON = `import time
monotonic, slept = time.monotonic, []
time.sleep = slept.append
time.monotonic = lambda: monotonic() + ${HALF_AN_HOUR} * len(slept)
`;
const OVERSLEEP_IN_NODE = `const wait = globalThis.setTimeout;
const now = performance.now.bind(performance);
let slept = 0;
performance.now = () => now() + ${HALF_AN_HOUR * 1000} * slept;
globalThis.setTimeout = (done, delay, ...more) => {
  if (delay < 1000 || more.length > 0) return wait(done, delay, ...more);
  slept++;
  return wait(done, 0);
};
`;

interface Kept {
  readonly release: string;
  readonly stores: Readonly<Record<string, PlainStore>>;
}

let folder: string;
let places: Places;

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
  const { status, headers, body } = await places.fetch(url.href).then(async (answered) => ({
    status: answered.status,
    headers: Object.fromEntries(answered.headers),
    body: await answered.text(),
  }));
  response.writeHead(status, headers).end(body);
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'guide-copy-'));
  const markdown = await readFile(GUIDE, 'utf8');
  const mark = 'Keeps a copy of all stores in copy.json.';
  await writeFile(join(folder, 'keep.py'), exampleWith(markdown, 'python', mark));
  await writeFile(join(folder, 'keep.ts'), exampleWith(markdown, 'ts', mark));
  await writeFile(join(folder, 'sitecustomize.py'), SLEEP_IN_PYTHON);
  await writeFile(join(folder, 'sleep.mjs'), SLEEP_IN_NODE);
  await mkdir(join(folder, 'oversleep'));
  await writeFile(join(folder, 'oversleep', 'sitecustomize.py'), OVERSLEEP_IN_PYTHON);
  await writeFile(join(folder, 'oversleep', 'sleep.mjs'), OVERSLEEP_IN_NODE);
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
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

/** Runs the program once. @returns the copy that it has written */
async function keep(program: string, args: readonly string[], told: string): Promise<Kept> {
  const env = { ...process.env, BASE_URL: origin, TOKEN: 'sk_test_x', PYTHONPATH: folder };
  const { stdout, stderr } = await run(program, args, { cwd: folder, env });
  expect(stderr).toContain(told);
  const kept: Kept = JSON.parse(await readFile(join(folder, 'copy.json'), 'utf8'));
  const count = Object.keys(kept.stores).length;
  expect(stdout).toBe(`${count} stores of release ${kept.release}\n`);
  return kept;
}

async function keepCopies(program: string, args: readonly string[]): Promise<void> {
  const totals: Record<string, number> = { during: 0 };
  for (let seed = SEED; seed < SEED + COPIES; seed++) {
    places = new Places(seed);
    const isForeign = seed === SEED;
    await rm(join(folder, 'copy.json'), { force: true });
    if (isForeign) await writeFile(join(folder, 'copy.json'), JSON.stringify(FOREIGN));
    for (let sync = 0; sync < SYNCS; sync++) {
      const before = places.counts.turns;
      const told =
        isForeign && sync === 0
          ? 'Walking the whole list anew: {"type":"/docs/problems/release_not_here_yet"'
          : '';
      const { release, stores } = await keep(program, args, told);
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
  program: string,
  args: readonly string[],
  variables: NodeJS.ProcessEnv,
  copy: 'none' | 'a folder' = 'none',
): Promise<{ readonly stderr: string }> {
  const cwd = await mkdtemp(join(folder, 'nothing-'));
  if (copy === 'a folder') await mkdir(join(cwd, 'copy.json'));
  const usual = { BASE_URL: origin, TOKEN: 'sk_test_x', PYTHONPATH: join(folder, 'oversleep') };
  const env = { ...process.env, ...usual, ...variables };
  const outcome = await run(program, args, { cwd, env }).catch((error) => error);
  expect(outcome).toMatchObject({ code: 1, stdout: '' });
  expect(await readdir(cwd)).toEqual(copy === 'none' ? [] : ['copy.json']);
  return outcome;
}

function describeFailures(program: string, argsIn: () => readonly string[]): void {
  it.each([
    ['without an address', { BASE_URL: undefined }, 'BASE_URL'],
    ['without a token', { TOKEN: undefined }, 'TOKEN'],
    ['with what is no address', { BASE_URL: 'directory' }, 'directory'],
    ['with an address without http://', { BASE_URL: 'localhost:8787' }, 'localhost:8787'],
  ])('ends at once %s', async (_when, variables, words) => {
    const { stderr } = await keepNothing(program, argsIn(), variables);
    expect(stderr).toContain(words);
    expect(stderr).not.toContain('Waiting');
  });

  it('ends at once where its copy is there and cannot be read', async () => {
    const { stderr } = await keepNothing(program, argsIn(), {}, 'a folder');
    expect(stderr).toMatch(/EISDIR|IsADirectoryError/);
  });
}

describe('the loop of the guide', () => {
  it('keeps copies in TypeScript', () =>
    keepCopies(process.execPath, ['--import', './sleep.mjs', 'keep.ts']));

  describeWithPython((python) => {
    it('keeps copies in Python', () => keepCopies(python, ['keep.py']));
  });
});

describe('the loop of the guide in TypeScript', () => {
  const sleep = () => pathToFileURL(join(folder, 'oversleep', 'sleep.mjs')).href;
  describeFailures(process.execPath, () => ['--import', sleep(), join(folder, 'keep.ts')]);
});

describe('the loop of the guide in Python', () => {
  describeWithPython((python) => describeFailures(python, () => [join(folder, 'keep.py')]));
});
