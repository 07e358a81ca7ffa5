import { spawnSync } from 'node:child_process';
import { lstatSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { generateStores } from '../../scripts/fixtures/store.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'fixtures-command-'));
afterAll(() => rmSync(folder, { recursive: true }));

function fixtures(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/fixtures.ts', ...args], {
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

describe('npm run fixtures', () => {
  it('prints stores and nothing else with --out -', () => {
    const stores = [...generateStores(3, { seed: 9, languages: 2 })];
    expect(fixtures('--count', '3', '--seed', '9', '--languages', '2', '--out', '-')).toEqual({
      status: 0,
      stdout: stores.map((store) => `${JSON.stringify(store)}\n`).join(''),
      stderr: '',
    });
  });

  it('says what it wrote, to people and to machines', () => {
    const file = path.join(folder, 'few.ndjson');
    const { status, stdout } = fixtures('--count', '2', '--out', file);
    expect(status).toBe(0);
    expect(stdout).toContain(`Wrote 2 stores`);
    expect(stdout).toContain(file);
    const json = fixtures('--count', '2', '--out', file, '--json');
    const bytes = readFileSync(file).length;
    expect(JSON.parse(json.stdout)).toEqual({ file, stores: 2, bytes });
  });

  it('regenerates the committed fixtures', () => {
    const file = path.join(folder, 'stores.ndjson');
    expect(fixtures('--showcase', '--out', file).status).toBe(0);
    expect(readFileSync(file).equals(readFileSync('fixtures/stores.ndjson'))).toBe(true);
  });

  it('explains itself', () => {
    const { status, stdout } = fixtures('--help');
    expect(status).toBe(0);
    expect(stdout).toContain('--count <n>');
    expect(stdout).toContain('Examples:');
  });

  it('exits with 1 when the file cannot be written', () => {
    for (const [place, reason] of [
      ['no/where', 'there is no such folder'],
      ['', 'it is a folder'],
    ] as const) {
      const file = path.join(folder, place);
      const { status, stderr } = fixtures('--count', '1', '--out', file);
      expect({ status, stderr }).toEqual({
        status: 1,
        stderr: `error: cannot write "${path.resolve(file)}": ${reason}\n`,
      });
    }
  });

  it('writes through a link', () => {
    const link = path.join(folder, 'link.ndjson');
    symlinkSync(path.join(folder, 'linked.ndjson'), link);
    expect(fixtures('--count', '1', '--out', link).status).toBe(0);
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
  ])('exits with 2 on %s', (_, args, message) => {
    const { status, stdout, stderr } = fixtures(...args);
    expect(stderr).toContain(message);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  });

  it('exits with 2 when --json and --out - ask for the same output', () => {
    const { status, stdout } = fixtures('--count', '1', '--out', '-', '--json');
    expect(status).toBe(2);
    expect(JSON.parse(stdout).error.code).toBe('usage');
  });
});
