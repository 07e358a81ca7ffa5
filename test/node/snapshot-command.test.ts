/** The snapshot tool as people and scripts run it: a process with an exit code and two streams. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sha256 } from '../../src/snapshot/hash.ts';
import { buildStore, storeId } from '../shared/store-builder.ts';
import { ndjson, storeWith } from './faulty-sources.ts';
import { runTool } from './run-tool.ts';

let folder: string;
let goodFile: string;
let faultyFile: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'snapshot-command-'));
  goodFile = join(folder, 'good.ndjson');
  faultyFile = join(folder, 'faulty.ndjson');
  await writeFile(goodFile, ndjson([buildStore(1), buildStore(2), buildStore(3)]));
  const faulty = storeWith(2, { 'profile.name': 7, 'pricing.tax.colour': 'red' });
  await writeFile(faultyFile, ndjson([buildStore(1), faulty, storeWith(3, { slug: 'store-1' })]));
});

afterEach(() => rm(folder, { recursive: true, force: true }));

const snapshot = (args: readonly string[], stdin?: string | Uint8Array) =>
  runTool('snapshot', args, {
    env: { STORE_DIRECTORY_STATE: join(folder, 'state'), NO_COLOR: '1' },
    ...(stdin === undefined ? {} : { stdin }),
  });

const FAULTS = [
  {
    kind: 'wrong_type',
    line: 2,
    store: storeId(2),
    path: 'profile.name',
    value: '7',
    message: 'expected a string',
  },
  {
    kind: 'unknown_key',
    line: 2,
    store: storeId(2),
    path: 'pricing.tax.colour',
    value: '"red"',
    message: 'expected no such key',
  },
  {
    kind: 'duplicate_slug',
    line: 3,
    store: storeId(3),
    path: 'slug',
    value: '"store-1"',
    message: 'expected a slug of its own: line 1 has it already',
  },
];

const SUMMARY = {
  stores: 3,
  good: 1,
  faulty: 2,
  faultCount: 3,
  faultsByKind: { wrong_type: 1, unknown_key: 1, duplicate_slug: 1 },
};

describe('validate', () => {
  it('of a good source says so and exits 0', async () => {
    expect(await snapshot(['validate', '--source', goodFile])).toEqual({
      code: 0,
      stdout: `${goodFile}: 3 stores, no fault\n`,
      stderr: '',
    });
  });

  it('of a faulty source shows the faults by kind and exits 1', async () => {
    const { code, stdout, stderr } = await snapshot(['validate', '--source', faultyFile]);
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
    expect(stdout).toBe(`${faultyFile}: 3 stores, 3 faults in 2 stores

wrong_type (1): a value of another type
  line 2, store ${storeId(2)}  profile.name
      7: expected a string

unknown_key (1): a key that no store has
  line 2, store ${storeId(2)}  pricing.tax.colour
      "red": expected no such key

duplicate_slug (1): a slug used twice
  line 3, store ${storeId(3)}  slug
      "store-1": expected a slug of its own: line 1 has it already
`);
  });

  it('shows the first few of many, the most frequent kind first', async () => {
    const stores = [1, 2, 3, 4, 5].map((number) => storeWith(number, { 'profile.name': number }));
    await writeFile(faultyFile, ndjson([storeWith(6, { pageUrl: 'x' }), ...stores]));
    const { stdout } = await snapshot(['validate', '--source', faultyFile]);
    const lines = stdout.split('\n');
    expect(lines[2]).toBe('wrong_type (5): a value of another type');
    expect(lines.filter((line) => line.includes('profile.name'))).toHaveLength(3);
    expect(lines).toContain('  … and 2 more');
    expect(lines).toContain('bad_format (1): a text of another form');
  });

  it('--json gives every fault', async () => {
    const { code, stdout, stderr } = await snapshot(['validate', '--source', faultyFile, '--json']);
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
    expect(JSON.parse(stdout)).toEqual({ source: faultyFile, ...SUMMARY, faults: FAULTS });
  });

  it('--json gives any number of faults', async () => {
    const lines = Array.from({ length: 5000 }, (_, index) => `{"id":${index}`);
    const { stdout } = await snapshot(['validate', '--source', '-', '--json'], lines.join('\n'));
    const { faults } = JSON.parse(stdout) as { faults: { line: number; kind: string }[] };
    expect(faults.map(({ line }) => line)).toEqual(lines.map((_, index) => index + 1));
  });

  it('reads standard input, an array and gzip as well', async () => {
    const stores = [buildStore(1), buildStore(2)];
    for (const source of [ndjson(stores), JSON.stringify(stores), gzipSync(ndjson(stores))]) {
      const { code, stdout } = await snapshot(['validate', '--source', '-'], source);
      expect({ code, stdout }).toEqual({ code: 0, stdout: '-: 2 stores, no fault\n' });
    }
  });

  it('of gzip that is cut off exits 1 and says so', async () => {
    const zipped = gzipSync(ndjson([buildStore(1), buildStore(2)]));
    const cut = zipped.subarray(0, zipped.length - 20);
    expect(await snapshot(['validate', '--source', '-'], cut)).toEqual({
      code: 1,
      stdout: '',
      stderr: 'error: source "-" is cut off: its gzip data ends too early\n',
    });
  });
});

describe('wrong usage', () => {
  it.each([
    [['validate'], "required option '--source <file>' not specified (see --help)"],
    [['validate', '--source', 'x', '--speed'], "unknown option '--speed' (see --help)"],
    [['validat'], "unknown command 'validat' (Did you mean validate?) (see --help)"],
    [['build', '--source', 'x'], "required option '--out <folder>' not specified (see --help)"],
    [['publish'], 'name what to publish: --source or --snapshot'],
    [
      ['publish', '--source', 'x', '--snapshot', 'y'],
      "option '--source <file>' cannot be used with option '--snapshot <folder>' (see --help)",
    ],
    [
      ['publish', '--snapshot', 'y', '--skip-invalid'],
      "option '--skip-invalid' cannot be used with option '--snapshot <folder>' (see --help)",
    ],
    [
      ['publish', '--source', 'x', '--env', 'moon'],
      "option '--env <environment>' argument 'moon' is invalid. Allowed choices are development, staging, production. (see --help)",
    ],
    [['validate', '--source', 'none'], 'cannot read source "none": there is no such file'],
    [
      ['publish', '--snapshot', 'none'],
      '"none" is no snapshot folder: cannot read its manifest.json',
    ],
  ])('%j exits 2 with one line, and as JSON', async (args, message) => {
    expect(await snapshot(args)).toEqual({ code: 2, stdout: '', stderr: `error: ${message}\n` });
    const { code, stdout, stderr } = await snapshot([...args, '--json']);
    expect({ code, stderr }).toEqual({ code: 2, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject({ error: { code: expect.any(String), message } });
  });

  it('without a command shows the help and exits 2', async () => {
    const { code, stdout, stderr } = await snapshot([]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('Usage: npm run snapshot --');
  });

  it('--verbose adds where it happened, and nothing else does', async () => {
    const args = ['validate', '--source', 'none'];
    expect((await snapshot([...args, '--verbose'])).stderr).toMatch(
      /^error: .*\n.*\n +at .*open-source/,
    );
    expect((await snapshot(args)).stderr).not.toContain(' at ');
  });
});

describe('--help', () => {
  it.each(['validate', 'build', 'publish'])('of %s has examples and exits 0', async (command) => {
    const { code, stdout, stderr } = await snapshot([command, '--help']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain(`Usage: npm run snapshot -- ${command}`);
    expect(stdout).toContain(`\nExamples:\n  npm run snapshot -- ${command} --`);
    expect(stdout).toContain('Exit codes: 0 done, 1 failed or faults found, 2 wrong usage.');
  });
});

describe('build', () => {
  const out = () => join(folder, 'out');
  const build = (source: string, ...more: string[]) =>
    snapshot(['build', '--source', source, '--out', out(), ...more]);

  it('makes a folder of a manifest and objects named by their content', async () => {
    const { code, stdout } = await build(goodFile);
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^Built release [0-9a-f]{16}: 3 stores, 3 locations, \d+ kB of documents, in .*out\n$/,
    );
    const manifest = JSON.parse(await readFile(join(out(), 'manifest.json'), 'utf8'));
    expect(manifest).toMatchObject({ format: 1, storeCount: 3 });
    const objects = await readdir(join(out(), 'objects'));
    for (const name of objects) {
      expect(await sha256(await readFile(join(out(), 'objects', name)))).toBe(name);
    }
    expect(objects).toContain(manifest.parts.stores.hash);
    expect((await readdir(out())).sort()).toEqual(['manifest.json', 'objects']);
  });

  it('replaces an earlier snapshot and an empty folder, and leaves nothing beside them', async () => {
    await mkdir(out());
    await build(goodFile);
    const first = await readFile(join(out(), 'manifest.json'), 'utf8');
    await writeFile(goodFile, ndjson([buildStore(4)]));
    expect((await build(goodFile)).code).toBe(0);
    const second = await readFile(join(out(), 'manifest.json'), 'utf8');
    expect(JSON.parse(second)).toMatchObject({ storeCount: 1 });
    expect(second).not.toBe(first);
    expect((await readdir(folder)).sort()).toEqual(['faulty.ndjson', 'good.ndjson', 'out']);
  });

  it.each([
    ['a folder with other files', 'notes.txt'],
    ['a snapshot folder with a file of somebody else', 'objects/notes.txt'],
  ])('leaves %s alone', async (_name, name) => {
    if (name.startsWith('objects')) await build(goodFile);
    else await mkdir(out());
    await writeFile(join(out(), name), 'mine');
    const before = await readdir(out(), { recursive: true });
    const { code, stderr } = await build(goodFile);
    expect(code).toBe(2);
    expect(stderr).toContain('holds something else than a snapshot');
    expect(await readdir(out(), { recursive: true })).toEqual(before);
  });

  it('of a faulty source builds nothing, shows the faults and exits 1', async () => {
    const { code, stdout, stderr } = await build(faultyFile);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(
      /^error: ".*" has 3 faults in 2 stores, nothing was built; --skip-invalid leaves them out\n/,
    );
    expect(stderr).toContain('wrong_type (1)');
    expect((await readdir(folder)).sort()).toEqual(['faulty.ndjson', 'good.ndjson']);
    const asJson = await build(faultyFile, '--json');
    expect(asJson).toMatchObject({ code: 1, stderr: '' });
    expect(JSON.parse(asJson.stdout)).toEqual({
      error: {
        code: 'faulty_source',
        message: expect.stringContaining('nothing was built'),
        source: faultyFile,
        ...SUMMARY,
        faults: FAULTS,
      },
    });
  });

  it('--skip-invalid builds the good stores and says what it left out', async () => {
    const { code, stdout } = await build(faultyFile, '--skip-invalid');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Built release [0-9a-f]{16}: 1 store, /);
    expect(stdout).toContain('Left out 2 stores (3 faults in 2 stores):');
    expect(stdout).toContain('duplicate_slug (1)');
    const { stdout: json } = await build(faultyFile, '--skip-invalid', '--json');
    expect(JSON.parse(json)).toMatchObject({
      storeCount: 1,
      validation: { ...SUMMARY, faults: FAULTS },
    });
  });

  it.each([
    ['no good store', '{\n{'],
    ['an array without end', `[${JSON.stringify(buildStore(1))},`],
    ['nothing', ''],
  ])('--skip-invalid does not build from %s', async (_name, source) => {
    await writeFile(faultyFile, source);
    const { code, stderr } = await build(faultyFile, '--skip-invalid');
    expect(code).toBe(1);
    expect(stderr).toContain('nothing was built\n');
    expect((await readdir(folder)).sort()).toEqual(['faulty.ndjson', 'good.ndjson']);
  });

  it('interrupted while it waits for input cleans up behind itself', async () => {
    const program = resolve(import.meta.dirname, '../../scripts/snapshot.ts');
    const child = spawn(process.execPath, [program, 'build', '--source', '-', '--out', out()], {
      stdio: ['pipe', 'ignore', 'pipe'],
    });
    child.stdin.write(`${JSON.stringify(buildStore(1))}\n`);
    let names: string[] = [];
    while (!names.some((name) => name.startsWith('out.building-'))) names = await readdir(folder);
    // The work folder is made just before the first read.
    await new Promise((settle) => setTimeout(settle, 300));
    child.kill('SIGINT');
    const said: Buffer[] = [];
    child.stderr.on('data', (chunk) => said.push(chunk));
    const [code] = await once(child, 'exit');
    expect({ code, stderr: Buffer.concat(said).toString() }).toEqual({
      code: 130,
      stderr: 'error: interrupted\n',
    });
    expect((await readdir(folder)).sort()).toEqual(['faulty.ndjson', 'good.ndjson']);
  });
});

describe('publish', () => {
  it('puts a source live, then says that it is', async () => {
    const first = await snapshot(['publish', '--source', goodFile]);
    expect(first).toMatchObject({ code: 0, stderr: '' });
    expect(first.stdout).toMatch(
      /^development: release [0-9a-f]{16} \(3 stores\) is live, the first one\nUploaded \d+ objects \(\d+ kB\), reused 0 objects \(0 B\)\n$/,
    );
    const second = await snapshot(['publish', '--source', goodFile, '--json']);
    expect(JSON.parse(second.stdout)).toMatchObject({
      environment: 'development',
      alreadyLive: true,
      storeCount: 3,
      uploaded: { objects: 0, bytes: 0 },
    });
  });

  it('puts a folder live, in the environment named and in no other', async () => {
    const out = join(folder, 'out');
    await snapshot(['build', '--source', goodFile, '--out', out]);
    const args = ['publish', '--snapshot', out, '--json', '--env'];
    const outcomes = [];
    for (const environment of ['staging', 'production', 'staging']) {
      const { code, stdout } = await snapshot([...args, environment]);
      expect(code).toBe(0);
      outcomes.push(JSON.parse(stdout));
    }
    const release = outcomes[0].release;
    expect(
      outcomes.map(({ environment, alreadyLive, previous }) => [
        environment,
        alreadyLive,
        previous,
      ]),
    ).toEqual([
      ['staging', false, null],
      ['production', false, null],
      ['staging', true, release],
    ]);
  });

  it('of a faulty source leaves what is live, unless faulty stores are skipped', async () => {
    const live = JSON.parse((await snapshot(['publish', '--source', goodFile, '--json'])).stdout);
    const refused = await snapshot(['publish', '--source', faultyFile, '--json']);
    expect(refused.code).toBe(1);
    expect(JSON.parse(refused.stdout)).toMatchObject({ error: { code: 'faulty_source' } });
    const skipping = await snapshot([
      'publish',
      '--source',
      faultyFile,
      '--skip-invalid',
      '--json',
    ]);
    expect(skipping.code).toBe(0);
    expect(JSON.parse(skipping.stdout)).toMatchObject({
      storeCount: 1,
      previous: live.release,
      validation: { faulty: 2 },
    });
  });

  it('of a damaged folder leaves what is live', async () => {
    const out = join(folder, 'out');
    await snapshot(['build', '--source', goodFile, '--out', out]);
    const objects = await readdir(join(out, 'objects'));
    await writeFile(join(out, 'objects', objects[0] as string), 'damaged');
    const { code, stderr } = await snapshot(['publish', '--snapshot', out]);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: `error: object ${objects[0]} of the snapshot is damaged: build it again\n`,
    });
  });
});
