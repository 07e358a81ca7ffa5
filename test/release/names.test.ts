/** The names by which Workers find kept releases; collect.test.ts and purge.test.ts have when they go. */
import { describe, expect, it } from 'vitest';
import { openLog } from '../../scripts/release/open-log.ts';
import { unsealJson } from '../../src/sealed-json.ts';
import { objectKey, POINTER_KEY, releaseKey, releaseName } from '../../src/snapshot/keys.ts';
import { COMPARED_PART, IDS_PART, liveReleaseSchema } from '../../src/snapshot/manifest.ts';
import { range, useFourteenReleases } from './support/fourteen-releases.ts';
import { goBack, resume } from './support/operator.ts';

const stage = useFourteenReleases();
const { idOf, names } = stage;

const nameOf = (number: number) => releaseName(number, idOf(number));

describe('the name of a release', () => {
  it('leads to all that is compared', () => {
    const { values } = stage.target;
    expect(names()).toEqual(range(1, 14).map(nameOf));
    for (const name of names()) {
      const text = new TextDecoder().decode(values.get(releaseKey(name)));
      const { manifest } = liveReleaseSchema.parse(unsealJson(text));
      expect(name).toContain(manifest.release);
      for (const part of [IDS_PART, COMPARED_PART]) {
        const { hash = '' } = manifest.parts[part] ?? {};
        expect(values.has(objectKey(manifest.generation, hash))).toBe(true);
      }
    }
  });

  it('is another one for each entry of the log', async () => {
    await goBack(stage.target);
    await resume(stage.target);
    const again = idOf(13);
    expect(names().slice(-3)).toEqual([nameOf(14), `15-${again}`, `16-${again}`]);
  });

  it('is written by the command that mends the pointer', async () => {
    const last = releaseKey(nameOf(14));
    stage.target.values.delete(last);
    stage.target.values.delete(POINTER_KEY);
    await openLog(stage.target);
    expect(stage.target.values.has(last)).toBe(true);
  });
});
