/**
 * One log, one environment, one place: a configuration that leads elsewhere writes and deletes nothing,
 * whichever command it is given to.
 */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openLog, readLog, readPointer } from '../../scripts/release/open-log.ts';
import type { Site } from '../../scripts/storage/key-value-store.ts';
import { LOG_PREFIX, POINTER_KEY } from '../../src/snapshot/keys.ts';
import { MemoryTarget } from '../support/memory-target.ts';
import {
  type CompiledStores,
  compileStores,
  publishCompiled,
  publishRelease,
  storesFrom,
} from '../support/stores/compiled-stores.ts';
import { collect, goBack, purge, resume } from './support/operator.ts';

let releases: CompiledStores[];
/** Two environments, of which each has published, and the first one as it was four releases ago. */
let ours: MemoryTarget;
let older: MemoryTarget;
let theirs: MemoryTarget;
let target: MemoryTarget;

beforeAll(async () => {
  releases = await Promise.all(
    [1, 2, 3, 4, 5, 6].map((from) => compileStores(storesFrom(from, from + 3))),
  );
  ours = new MemoryTarget();
  theirs = at(new MemoryTarget(), { environment: 'production', place: 'kv of production' });
  for (const [index, compiled] of releases.slice(0, 5).entries()) {
    await publishCompiled(ours, compiled, index + 1);
    if (index === 0) older = ours.fork();
    if (index < 3) await publishCompiled(theirs, compiled, index + 1);
  }
});

beforeEach(() => {
  target = ours.fork();
});

function at(of: MemoryTarget, site: Site): MemoryTarget {
  return Object.assign(of, { site });
}

/** What Workers read of one target, and the log of another. */
function mixed(values: MemoryTarget, log: MemoryTarget | null, site = values.site): MemoryTarget {
  const made = at(values.fork(), site);
  made.ledgerValues.clear();
  for (const [key, value] of log?.ledgerValues ?? []) made.ledgerValues.set(key, value);
  made.writes.length = 0;
  return made;
}

const next = () => releases[5] as CompiledStores;
const begin = (on: MemoryTarget) => publishRelease(next(), on, { beginLog: true });
const COMMANDS: Readonly<Record<string, (on: MemoryTarget) => Promise<unknown>>> = {
  publish: (on) => publishRelease(next(), on),
  'publish --afresh': (on) => publishRelease(next(), on, { afresh: true }),
  rollback: (on) => goBack(on),
  resume,
  purge: (on) => purge(on),
  prune: collect,
  'list, inspect, diff': (on) => readLog(on),
};

const R2: Site = { environment: 'development', place: 'r2 of a test' };
const PLACES: Readonly<Record<string, [() => MemoryTarget, ...string[]]>> = {
  'an empty bucket, or one of another jurisdiction': [
    () => mixed(ours, null),
    'there is no log in the bucket',
    'the pointer is that of development at kv of a test',
  ],
  'an older bucket, which the pointer is ahead of': [
    () => mixed(ours, older),
    'entry 1)',
    'entry 5)',
  ],
  'the bucket of another environment': [
    () => mixed(ours, theirs),
    'the log is that of production at kv of production',
    'the pointer is that of development',
  ],
  'the namespace of another environment': [
    () => mixed(theirs, ours, ours.site),
    'the log is that of development',
    'the pointer is that of production',
  ],
  'both of another environment': [
    () => mixed(theirs, theirs, ours.site),
    'works on development at kv of a test',
    'the log is that of production',
  ],
  'an empty namespace that is another one': [
    () => mixed(new MemoryTarget(), ours, { ...ours.site, place: 'kv of somebody' }),
    'works on development at kv of somebody',
    'there is no pointer',
  ],
  'R2 in the place of KV': [() => mixed(ours, ours, R2), 'works on development at r2 of a test'],
  'a damaged pointer and no log': [
    () => {
      const made = mixed(ours, null);
      made.values.set(POINTER_KEY, new Uint8Array([0x7b]));
      return made;
    },
    'the pointer cannot be read',
  ],
};

describe.each(Object.entries(PLACES))('%s', (_, [place, ...said]) => {
  it.each(Object.entries(COMMANDS))(
    'is refused by %s, which writes nothing',
    async (_name, run) => {
      const wrong = place();
      const before = new Map(wrong.values);
      const error: Error = await run(wrong).then(
        () => expect.unreachable(),
        (reason) => reason,
      );
      expect(error).toMatchObject({ code: 'wrong_log' });
      for (const words of said) expect(error.message).toContain(words);
      expect(wrong.writes).toEqual([]);
      expect(wrong.values).toEqual(before);
    },
  );

  it('is put right by publish --begin-log', async () => {
    const wrong = place();
    const entries = [...wrong.ledgerValues.keys()].map((key) => Number(key.split('/').at(-1)));
    const pointer = await readPointer(wrong);
    const shown = pointer === 'unreadable' ? 0 : (pointer?.number ?? 0);
    const { number } = await begin(wrong);
    expect(number).toBe(Math.max(shown, ...entries) + 1);
    expect(wrong.pointer).toMatchObject({ number, manifest: { release: next().manifest.release } });
    wrong.time += 1_000;
    await COMMANDS.publish?.(wrong);
    await publishRelease(releases[0] as CompiledStores, wrong);
    await goBack(wrong);
    expect(wrong.pointer?.manifest.release).toBe(next().manifest.release);
  });
});

it.each(['publish', 'publish --afresh', 'rollback', 'purge'])(
  'another log that takes the place of the one that was read ends %s before it decides anything',
  async (name) => {
    target.meanwhile(() => begin(target));
    await expect(COMMANDS[name]?.(target)).rejects.toMatchObject({
      code: 'wrong_log',
      message: expect.stringContaining('another log was begun meanwhile'),
    });
    expect(target.pointer?.manifest.release).toBe(next().manifest.release);
  },
);

describe('a log that is begun', () => {
  it('may be killed at every write and begun again', async () => {
    const whole = mixed(ours, older);
    await begin(whole);
    for (let stop = 0; stop < whole.writes.length; stop++) {
      const killed = mixed(ours, older);
      killed.isOut = () => killed.writes.length >= stop;
      await expect(begin(killed)).rejects.toThrow('the power is out');
      killed.isOut = () => false;
      const entries = [...killed.ledgerValues.keys()].filter((key) => key.startsWith(LOG_PREFIX));
      const isDecided = entries.length > 1;
      // Before its entry nothing has changed; after that any command brings up the pointer.
      if (isDecided) expect((await openLog(killed)).head?.number).toBe(6);
      else await expect(openLog(killed)).rejects.toMatchObject({ code: 'wrong_log' });
      killed.time += 1_000;
      await begin(killed);
      expect(killed.pointer).toMatchObject({ number: isDecided ? 7 : 6 });
      expect((await readLog(killed)).isShown).toBe(true);
    }
  });

  it('takes a pointer for its own of any log that it replaced, though KV showed an older one', async () => {
    const late = target.values.get(POINTER_KEY) ?? null;
    await begin(target);
    target.isOut = (key) => key === POINTER_KEY;
    await expect(begin(target)).rejects.toMatchObject({ code: 'pointer_behind' });
    const { get } = target.objects;
    target.objects.get = async (key) =>
      key === POINTER_KEY ? late : get.call(target.objects, key);
    await expect(begin(target)).rejects.toMatchObject({ code: 'pointer_behind' });
    target.objects.get = get;
    target.isOut = () => false;
    expect((await openLog(target)).head?.number).toBe(8);
    expect(target.pointer?.number).toBe(8);
  });

  it('lifts no hold of the log that is there, if that is the right one', async () => {
    await goBack(target);
    await expect(begin(target)).rejects.toMatchObject({ code: 'publication_held' });
    await begin(mixed(target, target, R2));
  });

  it('leads back to nothing that lay there before', async () => {
    const begun = mixed(ours, older);
    await begin(begun);
    await expect(goBack(begun)).rejects.toMatchObject({ code: 'no_earlier_release' });
  });
});
