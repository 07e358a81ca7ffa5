/** The log: what goes live, what a rollback leads to, and what holds publishing. */
import { beforeEach, describe, expect, it } from 'vitest';
import { readEntries, readHead } from '../../scripts/release/log.ts';
import { nameOf, pointerOf } from '../../scripts/release/log-entry.ts';
import { openLog } from '../../scripts/release/open-log.ts';
import { encodeJson } from '../../scripts/storage/key-value-store.ts';
import { logKey, POINTER_KEY, releaseKey } from '../../src/snapshot/keys.ts';
import { MemoryTarget } from '../support/memory-target.ts';
import { dayOfJanuary, publishStores, storesFrom } from '../support/stores/compiled-stores.ts';
import { goBack as goBackTo, resume } from './support/operator.ts';

let target: MemoryTarget;
/** Letters of releases by id. */
let letters: Map<string, string>;
let day: number;

beforeEach(() => {
  target = new MemoryTarget();
  letters = new Map();
  day = 0;
});

/** Publishes releases one after the other, a day each; the same letter is the same release. */
async function publish(sequence: string): Promise<void> {
  for (const letter of sequence) {
    const stores = storesFrom(1, letter.charCodeAt(0) - 60);
    letters.set(await publishStores(target, stores, ++day), letter);
  }
}

function idOf(letter: string): string {
  for (const [id, each] of letters) if (each === letter) return id;
  throw new Error(`${letter} was not published`);
}

/** Goes back, to a release if one is named, and returns the letter of what is live then. */
async function goBack(letter?: string): Promise<string | undefined> {
  target.time = dayOfJanuary(++day).getTime();
  const release = letter === undefined ? null : idOf(letter);
  const { to, entry } = await goBackTo(target, release);
  expect(target.pointer?.manifest.release).toBe(to.manifest.release);
  expect(target.pointer).toEqual(pointerOf(entry));
  // The name by which Workers find it when changes are asked for.
  expect(target.values.has(releaseKey(nameOf(entry)))).toBe(true);
  return letters.get(to.manifest.release);
}

/** The log, the latest first: what happened, and the letter of what was live then. */
async function history(): Promise<string[]> {
  const entries = await readEntries(target, await readHead(target.ledger));
  return entries.map(
    ({ kind, manifest, number }) => `${number} ${kind} ${letters.get(manifest.release)}`,
  );
}

describe('going back', () => {
  it('follows what was live, not what was first published when', async () => {
    await publish('ABAC');
    expect(await goBack()).toBe('A');
    expect(await goBack()).toBe('B');
    expect(await goBack()).toBe('A');
    await expect(goBack()).rejects.toMatchObject({ code: 'no_earlier_release' });
    expect(await history()).toEqual([
      '7 rollback A',
      '6 rollback B',
      '5 rollback A',
      '4 publish C',
      '3 publish A',
      '2 publish B',
      '1 publish A',
    ]);
  });

  it('from what was published after a rollback goes to what was live then', async () => {
    await publish('ABCDE');
    await goBack('B');
    await resume(target);
    await publish('F');
    expect(await goBack()).toBe('B');
    expect(await goBack()).toBe('A');
  });

  it('gives what was live before a new number and a new time', async () => {
    await publish('AB');
    const first = target.pointer;
    expect(await goBack()).toBe('A');
    const pointer = target.pointer;
    expect(pointer).toMatchObject({
      number: 3,
      publishedAt: dayOfJanuary(3).toISOString(),
      before: { number: 2, manifest: first?.manifest, publishedAt: dayOfJanuary(2).toISOString() },
    });
  });
});

describe('the pointer', () => {
  it('that is behind is mended by the next command, and the name that it tells', async () => {
    await publish('A');
    const stale = target.values.get(POINTER_KEY) as Uint8Array;
    await publish('B');
    const name = releaseKey(`2-${idOf('B')}`);
    for (const state of [stale, new Uint8Array([0x7b]), null]) {
      if (state) target.values.set(POINTER_KEY, state);
      else target.values.delete(POINTER_KEY);
      target.values.delete(name);
      const { head } = await openLog(target);
      expect([head?.number, target.values.has(name)]).toEqual([2, true]);
      expect(target.pointer).toEqual(pointerOf(head as NonNullable<typeof head>));
    }
  });

  it('is written again when the log has moved on meanwhile', async () => {
    await publish('AB');
    const second = await readHead(target.ledger);
    if (!second) throw new Error('nothing is live');
    let rival: object | undefined;
    target.beforeWrite = (key) => {
      if (key !== POINTER_KEY || rival) return;
      // Between the entry and its copy another command adds one, and copies it.
      const { from: _, ...entry } = second;
      rival = { ...entry, number: 4, kind: 'resume', mark: 'rival' };
      target.ledgerValues.set(logKey(4), { bytes: encodeJson(rival), storedAt: target.time });
    };
    await publish('C');
    expect(target.pointer?.number).toBe(4);
  });
});

it.each([
  ['going back', '', (on: MemoryTarget) => goBackTo(on)],
  ['lifting a hold', 'held', resume],
])(
  'of two who decide at once %s brings the pointer up where the other died of it',
  async (_what, state, act) => {
    await publish('AB');
    if (state === 'held') await goBack();
    const number = ((await readHead(target.ledger))?.number ?? 0) + 1;
    const rival = target.fork();
    rival.isOut = (key) => key === POINTER_KEY;
    await expect(act(rival)).rejects.toMatchObject({ code: 'pointer_behind' });
    const entry = rival.ledgerValues.get(logKey(number));
    target.beforeWrite = (key) => {
      if (key === logKey(number) && entry) target.ledgerValues.set(key, entry);
    };
    await act(target);
    const head = await readHead(target.ledger);
    expect(head?.number).toBe(number);
    expect(target.pointer).toEqual(head && pointerOf(head));
  },
);
