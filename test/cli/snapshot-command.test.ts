import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { ndjson } from '../support/faulty-sources.ts';
import { FAULTS, SUMMARY, useSnapshotTool } from '../support/snapshot-tool.ts';
import { buildStore, storeId } from '../support/stores/store-builder.ts';

const tool = useSnapshotTool();

describe('validate', () => {
  it('of a faulty source shows the faults by kind and exits 1', async () => {
    const { code, stdout, stderr } = await tool.snapshot(['validate', '--source', tool.faultyFile]);
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
    expect(stdout).toBe(`${tool.faultyFile}: 3 stores, 3 faults in 2 stores

wrong_type  profile.name (1): a value of another type
  line 2, store ${storeId(2)}
      7: expected a string, in quotes

unknown_key  pricing.tax.colour (1): a key that no store has
  line 2, store ${storeId(2)}
      "red": expected no such key

duplicate_slug  slug (1): a slug used twice
  line 3, store ${storeId(3)}
      "store-1": expected a slug of its own: line 1 has it already
`);
  });

  it('--json gives every fault', async () => {
    const args = ['validate', '--source', tool.faultyFile, '--json'];
    const { code, stdout, stderr } = await tool.snapshot(args);
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
    expect(JSON.parse(stdout)).toEqual({ source: tool.faultyFile, ...SUMMARY, faults: FAULTS });
  });

  it('reads standard input, gzip as well', async () => {
    const zipped = gzipSync(ndjson([buildStore(1), buildStore(2)]));
    expect(await tool.snapshot(['validate', '--source', '-'], zipped)).toEqual({
      code: 0,
      stdout: '-: 2 stores, no fault\n',
      stderr: '',
    });
  });
});

describe('the tool', () => {
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
