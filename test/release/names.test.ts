/** The names by which Workers find kept releases; collect.test.ts and purge.test.ts have when they go. */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openLog } from '../../scripts/release/open-log.ts';
import { resumePublishing, rollBack } from '../../scripts/release/roll-back.ts';
import { unsealJson } from '../../src/sealed-json.ts';
import { objectKey, POINTER_KEY, RELEASE_PREFIX, releaseKey } from '../../src/snapshot/keys.ts';
import { COMPARED_PART, IDS_PART, liveReleaseSchema } from '../../src/snapshot/manifest.ts';
import { MemoryTarget } from '../support/memory-target.ts';
import { publishStores, storesFrom } from '../support/stores/compiled-stores.ts';

const SIGNATURE = { by: 'ops', note: null };

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

const names = () =>
  [...target.values.keys()]
    .filter((key) => key.startsWith(RELEASE_PREFIX))
    .map((key) => key.slice(RELEASE_PREFIX.length))
    .sort((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10));

const nameOf = (number: number, id = ids[number - 1]) => `${number}-${id}`;
const namesFrom = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => nameOf(from + index));

describe('the name of a release', () => {
  it('is there before the pointer that tells it, with all that is compared', () => {
    expect(names()).toEqual(namesFrom(1, 14));
    const written = target.writes.filter(
      (key) => key === POINTER_KEY || key.startsWith(RELEASE_PREFIX),
    );
    expect(written.slice(-2)).toEqual([releaseKey(nameOf(14)), POINTER_KEY]);
    for (const name of names()) {
      const text = new TextDecoder().decode(target.values.get(releaseKey(name)));
      const { manifest } = liveReleaseSchema.parse(unsealJson(text));
      expect(name).toContain(manifest.release);
      for (const part of [IDS_PART, COMPARED_PART]) {
        expect(
          target.values.has(objectKey(manifest.generation, manifest.parts[part]?.hash ?? '')),
        ).toBe(true);
      }
    }
  });

  it('is another one for each entry of the log', async () => {
    await rollBack(target, { release: null, signature: SIGNATURE });
    await resumePublishing(target, { signature: SIGNATURE });
    const again = ids[12] as string;
    expect(names().slice(-3)).toEqual([nameOf(14), `15-${again}`, `16-${again}`]);
  });

  it('is written by the command that mends the pointer', async () => {
    const last = releaseKey(nameOf(14));
    target.values.delete(last);
    target.values.delete(POINTER_KEY);
    await openLog(target);
    expect(target.values.has(last)).toBe(true);
  });
});
