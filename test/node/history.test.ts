/** When releases were live, and what that means for going back. */
import { beforeEach, describe, expect, it } from 'vitest';
import { HISTORY_PREFIX, historyKey } from '../../scripts/release/history.ts';
import { readKeptReleases } from '../../scripts/release/kept-releases.ts';
import { publishRelease } from '../../scripts/release/publish-release.ts';
import { readPointer } from '../../scripts/release/published-release.ts';
import { type Rollback, rollBack } from '../../scripts/release/roll-back.ts';
import { POINTER_KEY } from '../../src/snapshot/keys.ts';
import {
  compileStores,
  dayOfJanuary,
  publishOptions,
  publishStores,
  storesFrom,
} from './compiled-stores.ts';
import { MemoryTarget } from './memory-target.ts';

let target: MemoryTarget;
/** Letters of releases by id. */
let letters: Map<string, string>;
let day: number;

beforeEach(() => {
  target = new MemoryTarget();
  letters = new Map();
  day = 0;
});

const storesOf = (letter: string) => storesFrom(1, letter.charCodeAt(0) - 60);

/** Publishes releases one after the other, a day each; the same letter is the same release. */
async function publish(sequence: string): Promise<void> {
  for (const letter of sequence) {
    letters.set(await publishStores(target, storesOf(letter), ++day), letter);
  }
}

function idOf(letter: string): string {
  for (const [id, each] of letters) if (each === letter) return id;
  throw new Error(`${letter} was not published`);
}

/** Goes back, to a release if one is named, and returns the letter of what is live then. */
async function goBack(letter?: string): Promise<string | undefined> {
  const release = letter === undefined ? null : idOf(letter);
  const options = { release, author: 'ops', now: dayOfJanuary(++day) };
  const { to }: Rollback = await rollBack(target, options);
  expect((await readPointer(target))?.manifest.release).toBe(to.release);
  return letters.get(to.release);
}

/** Letters with the day they went live last, in the order of the list; 0: never. */
async function listed(): Promise<string[]> {
  const { releases, stays } = await readKeptReleases(target);
  return releases.map(({ release }) => {
    const since = stays.get(release)?.since;
    return `${letters.get(release)}${since === undefined ? 0 : new Date(since).getUTCDate()}`;
  });
}

describe('going back', () => {
  it('follows what was live, not what was first published when', async () => {
    await publish('ABAC');
    expect(await listed()).toEqual(['C4', 'A3', 'B2']);
    expect(await goBack()).toBe('A');
    expect(await goBack()).toBe('B');
    expect(await listed()).toEqual(['B6', 'A5', 'C4']);
    await expect(goBack()).rejects.toMatchObject({ code: 'no_earlier_release' });
  });

  it('twice never goes forward to what was passed over', async () => {
    await publish('ABCDE');
    expect(await goBack('B')).toBe('B');
    expect(await goBack()).toBe('A');
  });

  it('from what was published after a rollback goes to what was live then', async () => {
    await publish('ABCDE');
    await goBack('B');
    await publish('F');
    expect(await goBack()).toBe('B');
    expect(await goBack()).toBe('A');
  });

  it('knows a publication of the same stores from a rollback', async () => {
    await publish('ABCA');
    expect(await goBack()).toBe('C');
    expect(await goBack()).toBe('B');
  });

  it('and forward again by id goes back from there as before', async () => {
    await publish('ABC');
    await goBack('A');
    await goBack('C');
    expect(await goBack()).toBe('B');
  });
});

describe('a release that never was live', () => {
  /** Publishes C while a rival turns the pointer to B. */
  async function loseRace(): Promise<void> {
    await publish('AB');
    const expected = await readPointer(target);
    const loser = await compileStores(storesOf('C'));
    letters.set(loser.manifest.release, 'C');
    target.beforeWrite = (key) => {
      if (key !== POINTER_KEY) return;
      target.beforeWrite = () => {};
      throw new Error('killed');
    };
    const options = publishOptions(++day, { expected });
    await expect(publishRelease(loser, target, options)).rejects.toThrow('killed');
  }

  it('is not gone back to, and comes last in the list', async () => {
    await loseRace();
    await publish('D');
    expect(await listed()).toEqual(['D4', 'B2', 'A1', 'C0']);
    expect(await goBack()).toBe('B');
  });

  it('can be gone to by its id, and takes its place then', async () => {
    await loseRace();
    expect(await goBack('C')).toBe('C');
    expect(await listed()).toEqual(['C4', 'B2', 'A1']);
    expect(await goBack()).toBe('B');
  });
});

describe('a run that is killed', () => {
  it('right after a publication: the next turn makes good what it left out', async () => {
    await publish('A');
    target.storing = (key, bytes) => (key.startsWith(HISTORY_PREFIX) ? null : bytes);
    await publish('B');
    target.storing = (_key, bytes) => bytes;
    expect(target.values.has(historyKey(idOf('B')))).toBe(false);
    expect(await listed()).toEqual(['B2', 'A1']);
    await publish('C');
    expect(await listed()).toEqual(['C3', 'B2', 'A1']);
    expect(await goBack()).toBe('B');
  });

  it('right before a rollback turns the pointer leaves the order as it was', async () => {
    await publish('ABC');
    target.beforeWrite = (key) => {
      if (key === POINTER_KEY) throw new Error('killed');
    };
    await expect(goBack('A')).rejects.toThrow('killed');
    target.beforeWrite = () => {};
    await publish('D');
    // C is marked withdrawn by then.
    expect(await goBack()).toBe('B');
  });
});

describe('a pointer that cannot be read', () => {
  it.each([['damaged'], ['gone']])('and is %s is replaced by going to a release', async (state) => {
    await publish('ABC');
    if (state === 'gone') target.values.delete(POINTER_KEY);
    else target.values.set(POINTER_KEY, new Uint8Array([0x7b]));
    const code = state === 'gone' ? 'nothing_live' : 'live_unreadable';
    await expect(goBack()).rejects.toMatchObject({ code });
    expect(await goBack('B')).toBe('B');
    expect(await goBack()).toBe('A');
  });
});
