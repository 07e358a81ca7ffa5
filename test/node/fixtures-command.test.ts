import { existsSync, lstatSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { generateStores } from '../../fixtures/generator/store.ts';
import { callTool } from './call-tool.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'fixtures-command-'));
afterAll(() => rmSync(folder, { recursive: true }));

const fixtures = (...args: string[]) => callTool('fixtures', args);

describe('npm run fixtures', () => {
  it('prints stores and nothing else with --out -', async () => {
    const stores = [...generateStores(3, { seed: 9, languages: 2 })];
    const args = ['--count', '3', '--seed', '9', '--languages', '2', '--out', '-'];
    expect(await fixtures(...args)).toEqual({
      code: 0,
      stdout: stores.map((store) => `${JSON.stringify(store)}\n`).join(''),
      stderr: '',
    });
  });

  it('says what it wrote, to people and to machines', async () => {
    const file = path.join(folder, 'few.ndjson');
    const { code, stdout } = await fixtures('--count', '2', '--out', file);
    expect(code).toBe(0);
    expect(stdout).toContain(`Wrote 2 stores`);
    expect(stdout).toContain(file);
    const json = await fixtures('--count', '2', '--out', file, '--json');
    const bytes = readFileSync(file).length;
    expect(JSON.parse(json.stdout)).toEqual({ file, stores: 2, bytes });
  });

  it('regenerates the committed fixtures', async () => {
    const file = path.join(folder, 'stores.ndjson');
    expect((await fixtures('--showcase', '--out', file)).code).toBe(0);
    expect(readFileSync(file).equals(readFileSync('fixtures/stores.ndjson'))).toBe(true);
  });

  it('explains itself', async () => {
    const { code, stdout } = await fixtures('--help');
    expect(code).toBe(0);
    expect(stdout).toContain('--count <n>');
    expect(stdout).toContain('Examples:');
  });

  it('exits with 1 when the file cannot be written', async () => {
    for (const [place, reason] of [
      ['no/where', 'there is no such folder'],
      ['', 'it is a folder'],
    ] as const) {
      const file = path.join(folder, place);
      const { code, stderr } = await fixtures('--count', '1', '--out', file);
      expect({ code, stderr }).toEqual({
        code: 1,
        stderr: `error: cannot write "${path.resolve(file)}": ${reason} [cannot_write]\n`,
      });
    }
  });

  it.skipIf(!existsSync('/dev/full'))('says that the disk is full', async () => {
    const { code, stderr } = await fixtures('--count', '1', '--out', '/dev/full');
    const expected = 'error: cannot write "/dev/full": the disk is full [cannot_write]\n';
    expect({ code, stderr }).toEqual({ code: 1, stderr: expected });
  });

  it('writes through a link', async () => {
    const link = path.join(folder, 'link.ndjson');
    symlinkSync(path.join(folder, 'linked.ndjson'), link);
    expect((await fixtures('--count', '1', '--out', link)).code).toBe(0);
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    expect(readFileSync(link).length).toBeGreaterThan(1000);
  });

  it.each([
    ['an unknown option', ['--bogus', '--count', '1', '--out', '-'], "unknown option '--bogus'"],
    ['no file', ['--count', '1'], "required option '--out <file>'"],
    ['no count', ['--out', '-'], 'give --count <n> or --showcase'],
    ['a count of 0', ['--count', '0', '--out', '-'], 'from 1 to 1,000,000'],
    ['a count that is no number', ['--count', 'ten', '--out', '-'], 'from 1 to 1,000,000'],
    ['too large a count', ['--count', '1000001', '--out', '-'], 'from 1 to 1,000,000'],
    ['nine languages', ['--count', '1', '--languages', '9', '--out', '-'], 'from 1 to 8'],
    ['a negative seed', ['--count', '1', '--seed', '-1', '--out', '-'], 'from 0 to'],
    ['a showcase with a count', ['--showcase', '--count', '1', '--out', '-'], '--showcase'],
    ['an argument', ['--count', '1', '--out', '-', 'extra'], 'too many arguments'],
  ])('exits with 2 on %s', async (_, args, message) => {
    const { code, stdout, stderr } = await fixtures(...args);
    expect(stderr).toContain(message);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  });

  it('exits with 2 when --json and --out - ask for the same output', async () => {
    const { code, stdout } = await fixtures('--count', '1', '--out', '-', '--json');
    expect(code).toBe(2);
    expect(JSON.parse(stdout).error.code).toBe('usage');
  });
});
