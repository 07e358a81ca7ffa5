/** How the benchmark puts releases live: numbered in one place, and sealed as the tools seal them. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Publisher } from '../../bench/data/publisher.ts';
import { unsealJson } from '../../src/sealed-json.ts';
import { FORMAT_VERSION, POINTER_KEY, releaseKey } from '../../src/snapshot/keys.ts';
import { type Manifest, pointerSchema } from '../../src/snapshot/manifest.ts';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bench-publisher-'));
});

afterAll(() => rm(folder, { recursive: true }));

it('gives every publication a number of its own, and names the release before', async () => {
  const publisher = new Publisher(folder);
  expect(() => publisher.liveName).toThrow('no release was put live yet');
  const [one, other] = [manifestOf('1'), manifestOf('2')];
  const seen: unknown[] = [];
  for (const manifest of [one, other, one]) {
    await publisher.putLive({ manifest });
    const { number, before, ...pointer } = await readPointer();
    const name = await unsealed(releaseKey(publisher.liveName));
    seen.push([publisher.liveName, number, pointer.manifest.release, before?.number ?? null]);
    expect(name).toMatchObject({ publishedAt: pointer.publishedAt });
  }
  expect(seen).toEqual([
    [`1-${one.release}`, 1, one.release, null],
    [`2-${other.release}`, 2, other.release, 1],
    [`3-${one.release}`, 3, one.release, 2],
  ]);
});

async function readPointer() {
  const text = await readFile(join(folder, POINTER_KEY), 'utf8');
  expect(JSON.parse(text)).toHaveProperty('sum');
  return pointerSchema.parse(unsealJson(text));
}

async function unsealed(key: string): Promise<unknown> {
  return unsealJson(await readFile(join(folder, key), 'utf8'));
}

function manifestOf(digit: string): Manifest {
  const part = { hash: digit.repeat(32), bytes: 1 };
  return {
    ...{ format: FORMAT_VERSION, release: digit.repeat(16), storeCount: 1, locationCount: 1 },
    ...{
      chunkCount: 1,
      chunkBytes: 1,
      parts: { ids: part, compared: part },
    },
  };
}
