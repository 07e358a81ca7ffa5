/**
 * The program of the guide on keeping a copy, as it stands there, before places that lag behind each
 * other while releases change: each run ends with a copy that equals the release it names. Its waits
 * pass in the time of the places. GUIDE_COPIES sets how many copies it keeps, GUIDE_SEED where they
 * begin. Then what it makes of every form of `Retry-After`. And what it says where it cannot begin:
 * without an address or a token, or with a copy that cannot be read.
 */
import { mkdir, mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { exampleWith } from '../support/markdown-examples.ts';
import { describeWith } from '../support/other-languages.ts';
import { runProcess } from '../support/run-tool.ts';
import { serve } from '../support/serve.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { addTo, FOREIGN, Places, type PlainStore } from './support/simulated-places.ts';

const GUIDE = new URL('../../docs/guides/keeping-a-copy.md', import.meta.url);
const COPIES = Number(process.env.GUIDE_COPIES ?? 1);
const SEED = Number(process.env.GUIDE_SEED ?? 1);
/** Runs of the program for one copy. */
const SYNCS = 4;
/** Releases that change while the program runs, at least. */
const MIN_TURNS = 10;

/** Seconds that a program sleeps pass at once, in the time of the places. */
const SLEEP = `import os, time, urllib.request
monotonic, slept = time.monotonic, []
def sleep(seconds):
    slept.append(seconds)
    urllib.request.urlopen(f"{os.environ['BASE_URL']}/sleep?seconds={seconds}").close()
time.sleep = sleep
time.monotonic = lambda: monotonic() + sum(slept)
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

let places: Places;
/** How the next requests are refused before the places are asked. */
let refusals: { readonly status: number; readonly retryAfter: string }[] = [];

const folder = temporaryFolder();
const { origin, close } = await serve((request, response) => {
  answer(request, response).catch(() => request.socket.destroy());
});

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
  response.writeHead(answered.status, headers).end(await answered.text());
}

beforeAll(async () => {
  const markdown = await readFile(GUIDE, 'utf8');
  const mark = 'Keeps a copy of all stores in copy.json.';
  await writeFile(join(folder, 'keep.py'), exampleWith(markdown, 'python', mark));
  await writeFile(join(folder, 'sitecustomize.py'), SLEEP);
});

afterAll(close);

/** Makes the folder of another copy. */
const copyFolder = () => mkdtemp(join(folder, 'copy-'));

/** Runs the program in the folder of a copy. @returns how it ends, and what it says */
function run(cwd: string, variables: NodeJS.ProcessEnv = {}) {
  const env = { BASE_URL: origin, TOKEN: 'sk_test_x', PYTHONPATH: folder, ...variables };
  return runProcess('python3', [join(folder, 'keep.py')], { cwd, env });
}

/** Runs the program to its good end. @returns the copy that it has written, and what it says meanwhile */
async function keep(cwd: string): Promise<Kept & { readonly stderr: string }> {
  const { code, stdout, stderr } = await run(cwd);
  expect(code, stderr).toBe(0);
  const kept: Kept = JSON.parse(await readFile(join(cwd, 'copy.json'), 'utf8'));
  const count = Object.keys(kept.stores).length;
  expect(stdout).toBe(`${count} stores of release ${kept.release}\n`);
  return { ...kept, stderr };
}

/** Fails unless the program has waited five minutes for a foreign release, and then walked anew. */
function expectWalkedAnew(stderr: string): void {
  expect(stderr).toContain(
    'Walking the whole list anew: {"type":"/docs/problems/release_not_here_yet"',
  );
  const waits = stderr.matchAll(/^Waiting (\d+) s: .*release_not_here_yet/gm);
  const waited = Array.from(waits, ([, wait]) => Number(wait)).reduce((sum, wait) => sum + wait, 0);
  expect(waited).toBeGreaterThan(200);
  expect(waited).toBeLessThanOrEqual(300);
}

async function keepCopies(): Promise<void> {
  const totals: Record<string, number> = {};
  for (let seed = SEED; seed < SEED + COPIES; seed++) {
    places = new Places(seed);
    const isForeign = seed === SEED;
    const copy = await copyFolder();
    if (isForeign) {
      const kept: Kept = { release: FOREIGN.release, stores: { foreign: FOREIGN.store } };
      await writeFile(join(copy, 'copy.json'), JSON.stringify(kept));
    }
    for (let sync = 0; sync < SYNCS; sync++) {
      const before = places.counts.turns;
      const { release, stores, stderr } = await keep(copy);
      if (isForeign && sync === 0) expectWalkedAnew(stderr);
      addTo(totals, { during: places.counts.turns - before });
      const expected = Object.fromEntries(places.storesOf(release, null));
      expect(stores, `seed ${seed}, sync ${sync}`).toEqual(expected);
      places.rest();
    }
    addTo(totals, places.counts);
  }
  if (process.env.GUIDE_COPIES) console.log(totals);
  expect(totals.during).toBeGreaterThanOrEqual(MIN_TURNS);
  for (const hardship of ['rollbacks', 'early', 'refused', 'older', 'newer', 'broken']) {
    expect(totals[hardship], hardship).toBeGreaterThan(0);
  }
}

describeWith('python3', () => {
  it('keeps copies that equal the releases they name', keepCopies);

  it('waits five seconds at least, and as long where Retry-After is no whole number', async () => {
    places = new Places(SEED);
    const retryAfters = [...FIVE_SECONDS, '7'];
    const statuses = [429, 502, 503, 504, 520, 530];
    refusals = retryAfters.map((each, index) => {
      return { status: statuses[index % statuses.length] as number, retryAfter: each };
    });
    const { stderr } = await keep(await copyFolder());
    const waits = [...stderr.matchAll(/^Waiting (\d+) s: refused$/gm)].map(([, wait]) => wait);
    expect(waits).toEqual([...FIVE_SECONDS.map(() => '5'), '7']);
  });

  it.each<[string, NodeJS.ProcessEnv, string]>([
    ['without an address', { BASE_URL: undefined }, 'BASE_URL'],
    ['without a token', { TOKEN: undefined }, 'TOKEN'],
    ['with an address without http://', { BASE_URL: 'localhost:8787' }, 'localhost:8787'],
    ['where its copy is there and cannot be read', {}, 'IsADirectoryError'],
    [
      'where Retry-After asks for more than half an hour',
      {},
      'kept us waiting for too long: refused',
    ],
  ])('ends at once %s, and writes nothing', async (_when, variables, words) => {
    refusals = [{ status: 503, retryAfter: '9'.repeat(5000) }];
    const copy = await copyFolder();
    if (words === 'IsADirectoryError') await mkdir(join(copy, 'copy.json'));
    const before = await readdir(copy);
    const { code, stdout, stderr } = await run(copy, variables);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain(words);
    expect(stderr).not.toContain('Waiting');
    expect(await readdir(copy)).toEqual(before);
  });
});
