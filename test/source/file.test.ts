/** Opening sources: files plain and gzip, whole, damaged and missing. */
import { appendFile, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { openSource } from '../../scripts/source/open-source.ts';
import { readSource } from '../../scripts/source/read-source.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

// Waits take no time.
vi.mock('node:timers/promises', () => ({ setTimeout: vi.fn(async () => {}) }));

describe('a source file', () => {
  const folder = temporaryFolder();
  const fileWith = async (content: string | Uint8Array) => {
    const file = join(folder, 'source');
    await writeFile(file, content);
    return file;
  };
  const open = async (file: string, options: Parameters<typeof openSource>[1]) =>
    readSource((await openSource(file, options)).chunks);
  const readFile = async (file: string) =>
    Array.fromAsync(await open(file, { standing: 0 }), (record) =>
      'kind' in record ? record.kind : record.value,
    );

  afterEach(() => void vi.mocked(sleep).mockReset());

  it('is plain or gzip, whatever its name', async () => {
    const content = '{"a":1}\n{"b":2}\n';
    const expected = [{ a: 1 }, { b: 2 }];
    expect(await readFile(await fileWith(content))).toEqual(expected);
    expect(await readFile(await fileWith(gzipSync(content)))).toEqual(expected);
    const members = Buffer.concat([gzipSync(content.slice(0, 5)), gzipSync(content.slice(5))]);
    expect(await readFile(await fileWith(members))).toEqual(expected);
  });

  it('of gzip that is cut off or damaged is refused in words', async () => {
    const whole = gzipSync(JSON.stringify(Array.from({ length: 5000 }, (_, n) => ({ n: n ** 7 }))));
    const cut = await fileWith(whole.subarray(0, whole.length - 100));
    await expect(readFile(cut)).rejects.toMatchObject({
      code: 'source_damaged',
      exitCode: 1,
      message: `source "${cut}" is damaged or cut off: its gzip data cannot be unzipped`,
    });
    whole.fill(0, 3000, 3100);
    await expect(readFile(await fileWith(whole))).rejects.toMatchObject({
      code: 'source_damaged',
      exitCode: 1,
    });
  });

  it('that is still being written is waited for, and read whole', async () => {
    const file = await fileWith('{"a":1}\n');
    const wait = vi.mocked(sleep).mockImplementationOnce(() => appendFile(file, '{"b":2}\n'));
    const records = await open(file, { standing: 60_000 });
    expect(await Array.fromAsync(records)).toHaveLength(2);
    expect(wait).toHaveBeenCalledTimes(2);
  });

  it('that has stood for a while is read at once, and refused when it changes meanwhile', async () => {
    const file = await fileWith('{"a":1}\n'.repeat(200_000));
    await utimes(file, new Date(), new Date(Date.now() - 60_000));
    const records = await open(file, { standing: 5_000 });
    expect((await records.next()).value).toMatchObject({ value: { a: 1 } });
    await appendFile(file, '{"b":2}\n');
    await expect(Array.fromAsync(records)).rejects.toMatchObject({ code: 'source_changing' });
  });

  it('that never stands still is refused', async () => {
    const file = await fileWith('{"a":1}\n');
    const wait = vi.mocked(sleep).mockImplementation(() => appendFile(file, '\n'));
    const opening = openSource(file, { standing: 60_000 });
    await expect(opening).rejects.toMatchObject({ code: 'source_changing', exitCode: 1 });
    expect(wait).toHaveBeenCalledTimes(5);
  });

  it('that is a folder is wrong usage', async () => {
    await expect(openSource(folder)).rejects.toMatchObject({
      exitCode: 2,
      message: `cannot read source "${folder}": it is a folder`,
    });
  });

  it('tells how much of it has been read, before unzipping', async () => {
    const zipped = gzipSync('{"a":1}\n'.repeat(10_000));
    const told: unknown[] = [];
    const { chunks } = await openSource(await fileWith(zipped), {
      standing: 0,
      progress: { update: (done, total) => void told.push([done, total]) },
    });
    for await (const _ of chunks);
    expect(told.at(-1)).toEqual([zipped.length, zipped.length]);
  });

  it('is read no further once the command is interrupted', async () => {
    const interruption = new AbortController();
    const file = await fileWith('{"a":1}\n'.repeat(200_000));
    const records = await open(file, { standing: 0, signal: interruption.signal });
    expect((await records.next()).value).toMatchObject({ line: 1, value: { a: 1 } });
    interruption.abort(new Error('interrupted'));
    await expect(Array.fromAsync(records)).rejects.toThrow('interrupted');
  });
});
