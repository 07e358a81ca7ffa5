import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { ndjson } from '../support/faulty-sources.ts';
import { FAULTS, SUMMARY, useSnapshotTool } from '../support/snapshot-tool.ts';
import { buildStore, storeId } from '../support/stores/store-builder.ts';

const tool = useSnapshotTool();

describe('validate', () => {
  it('of a good source says so and exits 0', async () => {
    expect(await tool.snapshot(['validate', '--source', tool.goodFile])).toEqual({
      code: 0,
      stdout: `${tool.goodFile}: 3 stores, no fault\n`,
      stderr: '',
    });
  });

  it('of a faulty source shows the faults by kind and exits 1', async () => {
    const { code, stdout, stderr } = await tool.snapshot(['validate', '--source', tool.faultyFile]);
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
    expect(stdout).toBe(`${tool.faultyFile}: 3 stores, 3 faults in 2 stores

wrong_type  profile.name (1): a value of another type
  line 2, store ${storeId(2)}
      7: expected a string

unknown_key  pricing.tax.colour (1): a key that no store has
  line 2, store ${storeId(2)}
      "red": expected no such key

duplicate_slug  slug (1): a slug used twice
  line 3, store ${storeId(3)}
      "store-1": expected a slug of its own: line 1 has it already
`);
  });

  it('--json gives every fault', async () => {
    const { code, stdout, stderr } = await tool.snapshot([
      'validate',
      '--source',
      tool.faultyFile,
      '--json',
    ]);
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
    expect(JSON.parse(stdout)).toEqual({ source: tool.faultyFile, ...SUMMARY, faults: FAULTS });
  });

  it('reads standard input, an array and gzip as well', async () => {
    const stores = [buildStore(1), buildStore(2)];
    for (const source of [ndjson(stores), JSON.stringify(stores), gzipSync(ndjson(stores))]) {
      const { code, stdout } = await tool.snapshot(['validate', '--source', '-'], source);
      expect({ code, stdout }).toEqual({ code: 0, stdout: '-: 2 stores, no fault\n' });
    }
  });
});

describe('wrong usage', () => {
  it.each([
    [['validate'], "required option '--source <file>' not specified (see --help)"],
    [['validate', '--source', 'x', '--speed'], "unknown option '--speed' (see --help)"],
    [['validat'], "unknown command 'validat' (Did you mean validate?) (see --help)"],
    [['build', '--source', 'x'], "required option '--out <folder>' not specified (see --help)"],
    [['publish'], 'name the stores: --source or --snapshot'],
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
    [['validate', '--source', '/no/file'], 'cannot read source "/no/file": there is no such file'],
    [
      ['publish', '--snapshot', '/no/folder'],
      '"/no/folder" is no snapshot folder: cannot read its manifest.json',
    ],
  ])('%j exits 2 with one line, and as JSON', async (args, message) => {
    expect(await tool.snapshot(args)).toEqual({
      code: 2,
      stdout: '',
      stderr: `error: ${message}\n`,
    });
    const { code, stdout, stderr } = await tool.snapshot([...args, '--json']);
    expect({ code, stderr }).toEqual({ code: 2, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject({
      error: { code: expect.any(String), message: message.replace(' (see --help)', '') },
    });
  });

  it('without a command shows the help and exits 2', async () => {
    const { code, stdout, stderr } = await tool.snapshot([]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('Usage: npm run snapshot --');
  });

  it('--verbose adds where it happened, and nothing else does', async () => {
    const args = ['validate', '--source', '/no/file'];
    expect((await tool.snapshot([...args, '--verbose'])).stderr).toMatch(
      /^error: .*\n.*\n +at .*open-source/,
    );
    expect((await tool.snapshot(args)).stderr).not.toContain(' at ');
  });
});

describe('--help', () => {
  it.each(['validate', 'build', 'publish'])('of %s has examples and exits 0', async (command) => {
    const { code, stdout, stderr } = await tool.snapshot([command, '--help']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain(`Usage: npm run snapshot -- ${command}`);
    expect(stdout).toContain(`\nExamples:\n  npm run snapshot -- ${command} --`);
    expect(stdout).toContain(
      'Exit codes: 0 done, 1 failed or faults found, 2 wrong usage, 130 interrupted.',
    );
  });
});
