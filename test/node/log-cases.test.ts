/** Meetings of publications, rollbacks, prunes and purges, written out; log-property.test.ts draws others. */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { CommandError } from '../../scripts/cli/command-error.ts';
import { SILENT_PROGRESS } from '../../scripts/cli/progress.ts';
import { pruneReleases } from '../../scripts/release/prune.ts';
import { publishRelease } from '../../scripts/release/publish-release.ts';
import { purgeReleases } from '../../scripts/release/purge.ts';
import { rollBack } from '../../scripts/release/roll-back.ts';
import {
  CONDEMNED_PREFIX,
  INTENT_PREFIX,
  LOG_PREFIX,
  OBJECT_PREFIX,
  objectKey,
} from '../../src/snapshot/keys.ts';
import { type CompiledStores, publishOptions } from './compiled-stores.ts';
import { compileVariants, Oracle } from './publishing-oracle.ts';
import { DAY, HOUR, Machine, World } from './simulated-world.ts';

const SIGNATURE = { by: 'ops', note: null };
const WATCH = { progress: SILENT_PROGRESS, signal: new AbortController().signal };
const MINUTE = 60_000;

let variants: Map<string, CompiledStores>;
let releases: CompiledStores[];
/** Fourteen releases, two days each: the first four are no longer kept. */
let start: World;
let world: World;
let oracle: Oracle;
let job: Machine;
let other: Machine;

beforeAll(async () => {
  variants = await compileVariants(16);
  releases = [...variants.values()];
  start = new World(7);
  const machine = new Machine(start);
  await start.run(async () => {
    for (const compiled of releases.slice(0, 14)) {
      await publishRelease(compiled, machine, publishOptions(machine));
      await machine.clock.sleep(2 * DAY);
    }
  });
});

beforeEach(() => {
  world = start.fork(8);
  oracle = new Oracle(world, variants);
  job = new Machine(world, -HOUR);
  other = new Machine(world, HOUR);
});

const release = (number: number) => releases[number - 1] as CompiledStores;
const prune = (machine: Machine) =>
  pruneReleases(machine, { keep: 10, now: machine.now, ...WATCH });
const publish = (machine: Machine, number: number, onWait = (_: number) => {}) =>
  publishRelease(release(number), machine, publishOptions(machine, { onWait }));

/** Kinds and ids of the log's last entries, the latest first. */
function last(count: number): string[] {
  const entries = oracle.entries().slice(-count).reverse();
  return entries.map(({ entry }) => `${entry.kind} ${entry.manifest.release}`);
}

const named = (kind: string, number: number) => `${kind} ${release(number).manifest.release}`;

/** Does `work` once, right before the first request of a machine of which `what` and a prefix are so. */
function rightBefore(
  machine: Machine,
  what: string,
  prefix: string,
  work: () => Promise<unknown>,
): void {
  machine.before = async (each, key) => {
    if (each !== what || !key.startsWith(prefix)) return;
    machine.before = async () => {};
    await work();
  };
}

describe('an object condemned on Monday', () => {
  it('that a publication needs while Tuesday’s prune deletes is there in the end', async () => {
    await world.run(async () => void (await prune(other)));
    await world.run(() => job.clock.sleep(DAY));
    const only = [...release(2).objects.keys()].filter(
      (hash) => !release(5).objects.has(hash) && !release(4).objects.has(hash),
    );
    expect(only.length).toBeGreaterThan(0);
    let deleted = 0;
    const { onDelete } = world;
    world.onDelete = (key) => {
      if (only.some((hash) => objectKey(hash) === key)) deleted++;
      onDelete(key);
    };
    // The prune has read what is needed; before it deletes, the publication says what it needs.
    let isRead = false;
    const waits: number[] = [];
    rightBefore(other, 'delete', 'snapshot/', async () => {
      isRead = true;
      await other.clock.sleep(4 * MINUTE);
    });
    await world.run(
      async () => void (await prune(other)),
      async () => {
        while (!isRead) await job.clock.sleep(1_000);
        await publish(job, 2, (milliseconds) => waits.push(milliseconds));
      },
    );
    expect(deleted).toBeGreaterThan(0);
    // Whoever watches is told of the ten minutes, once.
    expect(waits.map((each) => Math.ceil(each / MINUTE))).toEqual([10]);
    oracle.expectSettled();
    expect({ faults: oracle.faults, last: last(1) }).toEqual({
      faults: [],
      last: [named('publish', 2)],
    });
  });
});

describe('a rollback while a prune runs', () => {
  it('to what is kept succeeds, to what has just been condemned does not', async () => {
    const to = (number: number) =>
      rollBack(job, {
        release: release(number).manifest.release,
        signature: SIGNATURE,
        hold: true,
        now: job.now,
      });
    let condemned: unknown;
    rightBefore(other, 'put', CONDEMNED_PREFIX, async () => void (await to(6)));
    await world.run(async () => {
      await prune(other);
      condemned = await to(3).catch((error) => error);
    });
    expect(condemned).toBeInstanceOf(CommandError);
    expect(condemned).toMatchObject({ code: 'release_unknown' });
    await world.run(async () => {
      await other.clock.sleep(25 * HOUR);
      await prune(other);
    });
    oracle.expectSettled();
    expect({ faults: oracle.faults, last: last(1) }).toEqual({
      faults: [],
      last: [named('rollback', 6)],
    });
  });
});

describe('a publisher that sleeps 25 hours between upload and turn', () => {
  it('checks everything anew: what a prune has deleted meanwhile is there when it goes live', async () => {
    let slept = false;
    rightBefore(job, 'create', LOG_PREFIX, async () => {
      slept = true;
      await job.clock.sleep(25 * HOUR);
    });
    const begin = world.time;
    // While it sleeps, its intent runs out, and two prunes condemn and delete what it uploaded.
    await world.run(
      async () => void (await publish(job, 16)),
      async () => {
        while (!slept) await other.clock.sleep(MINUTE);
        for (const key of [...world.r2.keys()]) {
          if (key.startsWith(INTENT_PREFIX)) world.r2.delete(key);
        }
        await prune(other);
        await other.clock.sleep(24 * HOUR + MINUTE);
        await prune(other);
      },
    );
    expect(world.time - begin).toBeGreaterThan(25 * HOUR);
    oracle.expectSettled();
    expect({ faults: oracle.faults, last: last(1) }).toEqual({
      faults: [],
      last: [named('publish', 16)],
    });
  });
});

describe('an operator’s rollback between a job’s look at the log and its turn', () => {
  it('stands: the job says what is live, and the next one that publishing is held', async () => {
    rightBefore(job, 'create', LOG_PREFIX, async () => {
      await rollBack(other, { release: null, signature: SIGNATURE, hold: true, now: other.now });
    });
    const outcomes: unknown[] = [];
    await world.run(async () => {
      for (const number of [15, 15]) {
        outcomes.push(await publish(job, number).catch((error) => error.code));
      }
    });
    expect(outcomes).toEqual(['publish_conflict', 'publication_held']);
    oracle.expectSettled();
    expect({ faults: oracle.faults, last: last(2) }).toEqual({
      faults: [],
      last: [named('rollback', 13), named('publish', 14)],
    });
  });
});

describe('a purge that sleeps 25 hours between what it condemns and its entry', () => {
  it('gives nothing to a prune before the log says that all else is given up', async () => {
    const purge = () => purgeReleases(job, { signature: SIGNATURE, now: job.now, ...WATCH });
    let isAsleep = false;
    rightBefore(job, 'create', LOG_PREFIX, async () => {
      isAsleep = true;
      await job.clock.sleep(25 * HOUR);
    });
    let kept: readonly string[] = [];
    await world.run(
      async () => void (await purge()),
      async () => {
        while (!isAsleep) await other.clock.sleep(MINUTE);
        await other.clock.sleep(24 * HOUR + MINUTE);
        ({ kept } = await prune(other));
      },
    );
    expect(kept).toHaveLength(10);
    oracle.expectSettled();
    const left = [...world.kv.keys()].filter((key) => key.startsWith(OBJECT_PREFIX));
    const there = left.filter((key) => world.truth(key)).length;
    expect({ faults: oracle.faults, last: last(1), there }).toEqual({
      faults: [],
      last: [named('purge', 14)],
      there: release(14).objects.size,
    });
  });
});

describe('a purge that sleeps an hour between its entry and its deleting', () => {
  it('leaves what went live meanwhile, although it had condemned that, and something else after it', async () => {
    let isAsleep = false;
    rightBefore(job, 'delete', 'snapshot/', async () => {
      isAsleep = true;
      await job.clock.sleep(HOUR);
    });
    await world.run(
      async () => void (await purgeReleases(job, { signature: SIGNATURE, now: job.now, ...WATCH })),
      async () => {
        while (!isAsleep) await other.clock.sleep(MINUTE);
        await publish(other, 6);
        await publish(other, 15);
      },
    );
    oracle.expectSettled();
    expect({ faults: oracle.faults, last: last(3) }).toEqual({
      faults: [],
      last: [named('publish', 15), named('publish', 6), named('purge', 14)],
    });
  });
});
