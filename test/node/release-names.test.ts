/** The names by which Workers find kept releases: when they are written, and when they go. */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { SILENT_PROGRESS } from '../../scripts/cli/progress.ts';
import { readHead } from '../../scripts/release/log.ts';
import { pruneReleases } from '../../scripts/release/prune.ts';
import { purgeReleases } from '../../scripts/release/purge.ts';
import { resumePublishing, rollBack } from '../../scripts/release/roll-back.ts';
import { unsealJson } from '../../src/sealed-json.ts';
import { NAME_PREFIX, nameKey, objectKey, POINTER_KEY } from '../../src/snapshot/keys.ts';
import { COMPARED_PART, IDS_PART, liveReleaseSchema } from '../../src/snapshot/manifest.ts';
import { publishStores, storesFrom } from './compiled-stores.ts';
import { MemoryTarget } from './memory-target.ts';

const SIGNATURE = { by: 'ops', note: null };
const { signal } = new AbortController();

/** Fourteen releases, one every two days, and where they were published. */
const ids: string[] = [];
const published = new MemoryTarget();
let target: MemoryTarget;

beforeAll(async () => {
  for (let index = 1; index <= 14; index++) {
    ids.push(await publishStores(published, storesFrom(index, index + 3), 2 * index - 1));
  }
});

beforeEach(() => {
  target = published.fork();
});

const options = () => ({ progress: SILENT_PROGRESS, signal, now: () => target.time });

const names = () =>
  [...target.values.keys()]
    .filter((key) => key.startsWith(NAME_PREFIX))
    .map((key) => key.slice(NAME_PREFIX.length))
    .sort((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10));

const nameOf = (number: number, id = ids[number - 1]) => `${number}-${id}`;
const namesFrom = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => nameOf(from + index));

describe('the name of a release', () => {
  it('is there before the pointer that tells it, with all that is compared', () => {
    expect(names()).toEqual(namesFrom(1, 14));
    const written = target.writes.filter(
      (key) => key === POINTER_KEY || key.startsWith(NAME_PREFIX),
    );
    expect(written.slice(-2)).toEqual([nameKey(nameOf(14)), POINTER_KEY]);
    for (const name of names()) {
      const text = new TextDecoder().decode(target.values.get(nameKey(name)));
      const { manifest } = liveReleaseSchema.parse(unsealJson(text));
      expect(name).toContain(manifest.release);
      for (const part of [IDS_PART, COMPARED_PART]) {
        expect(target.values.has(objectKey(manifest.parts[part]?.hash ?? ''))).toBe(true);
      }
    }
  });

  it('is another one for each entry of the log', async () => {
    await rollBack(target, { release: null, signature: SIGNATURE, hold: true });
    await resumePublishing(target, SIGNATURE);
    const again = ids[12] as string;
    expect(names().slice(-3)).toEqual([nameOf(14), `15-${again}`, `16-${again}`]);
  });

  it('is written by whoever mends the pointer', async () => {
    const last = nameKey(nameOf(14));
    target.values.delete(last);
    target.values.delete(POINTER_KEY);
    await pruneReleases(target, { keep: 20, ...options() });
    expect(target.values.has(last)).toBe(true);
  });
});

describe('the names of releases that are given up', () => {
  it('go when they are condemned, a day before anything else does', async () => {
    const { kept, condemned } = await pruneReleases(target, { keep: 10, ...options() });
    expect(kept).toHaveLength(10);
    expect([...condemned.releases].sort()).toEqual(ids.slice(0, 4).sort());
    expect(names()).toEqual(namesFrom(5, 14));
  });

  it('go with a purge, but for those of what is live', async () => {
    await rollBack(target, { release: ids[13] as string, signature: SIGNATURE, hold: true });
    await purgeReleases(target, { signature: SIGNATURE, ...options() });
    const number = (await readHead(target.ledger))?.number ?? 0;
    const live = ids[13] as string;
    expect(number).toBe(16);
    expect(names()).toEqual([14, 15, 16].map((each) => `${each}-${live}`));
  });
});
