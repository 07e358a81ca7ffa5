/** Meetings of publications, rollbacks, collections and purges, written out; log-property.test.ts draws others. */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { publishRelease } from '../../scripts/release/publish-release.ts';
import { LOG_PREFIX, OBJECT_PREFIX } from '../../src/snapshot/keys.ts';
import { DAY, HOUR, Machine, World } from '../support/simulated-world.ts';
import { type CompiledStores, publishOptions } from '../support/stores/compiled-stores.ts';
import { collect, goBack, purge } from './support/operator.ts';
import { compileVariants, Oracle } from './support/publishing-oracle.ts';

const MINUTE = 60_000;

let variants: Map<string, CompiledStores>;
let releases: CompiledStores[];
/** Fourteen releases, two days each, in four generations: the first four are no longer kept. */
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
    for (const [index, compiled] of releases.slice(0, 14).entries()) {
      await publishRelease(compiled, machine, publishOptions({ afresh: index % 4 === 0 }));
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
const idOf = (number: number) => release(number).manifest.release;
const publish = (machine: Machine, number: number, afresh = false) =>
  publishRelease(release(number), machine, publishOptions({ afresh }));
const goTo = (machine: Machine, number: number) => goBack(machine, idOf(number));

/** Generations of which something is there, in the order of their beginnings. */
function generations(): string[] {
  const keys = [...world.kv.keys()].filter((key) => key.startsWith(OBJECT_PREFIX));
  const there = keys.filter((key) => world.truth(key) !== null);
  return [...new Set(there.map((key) => key.split('/')[3] ?? ''))].sort();
}

/** Kinds and ids of the log's last entries, the latest first. */
function last(count: number): string[] {
  const entries = oracle.entries().slice(-count).reverse();
  return entries.map(({ entry }) => `${entry.kind} ${entry.manifest.release}`);
}

const named = (kind: string, number: number) => `${kind} ${idOf(number)}`;

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

function expectUnspoilt(lastEntries: readonly string[]): void {
  oracle.expectSettled();
  expect({ faults: oracle.faults, last: last(lastEntries.length) }).toEqual({
    faults: [],
    last: lastEntries,
  });
}

describe('a generation', () => {
  it('that a killed publication has begun goes half a day and a day after others went on', async () => {
    rightBefore(job, 'create', LOG_PREFIX, () => world.kill());
    await world.run(async () => void (await publish(job, 15, true)));
    expect(generations()).toHaveLength(5);
    await world.run(async () => {
      await other.clock.sleep(13 * HOUR);
      await publish(other, 16);
      await other.clock.sleep(25 * HOUR);
      await collect(other);
    });
    expect(generations()).toHaveLength(3);
    expectUnspoilt([named('publish', 16)]);
  });
});

describe('a rollback', () => {
  it('that sleeps right before its entry while the release is given up has to choose anew', async () => {
    rightBefore(job, 'create', LOG_PREFIX, () => job.clock.sleep(30 * DAY));
    let outcome: unknown;
    await world.run(
      async () => {
        outcome = await goTo(job, 5).catch((error) => error.code);
      },
      async () => {
        await other.clock.sleep(HOUR);
        await publish(other, 15);
        await other.clock.sleep(9 * DAY);
        await publish(other, 16);
        await other.clock.sleep(2 * DAY);
        await collect(other);
      },
    );
    expect(outcome).toBe('release_unknown');
    expectUnspoilt([named('publish', 16), named('publish', 15)]);
  });
});

describe('a purge that sleeps', () => {
  it('before its entry gives nothing up before the log says so', async () => {
    let isAsleep = false;
    rightBefore(job, 'create', LOG_PREFIX, async () => {
      isAsleep = true;
      await job.clock.sleep(25 * HOUR);
    });
    await world.run(
      async () => void (await purge(job)),
      async () => {
        while (!isAsleep) await other.clock.sleep(MINUTE);
        await other.clock.sleep(24 * HOUR + MINUTE);
        await goTo(other, 9);
      },
    );
    // The purge lost, and copied what was live by then.
    expectUnspoilt([named('purge', 9), named('rollback', 9), named('publish', 14)]);
    expect(generations()).toHaveLength(1);
  });

  it('for weeks before it deletes leaves what went live meanwhile', async () => {
    let isAsleep = false;
    rightBefore(job, 'delete', 'snapshot/', async () => {
      isAsleep = true;
      await job.clock.sleep(21 * DAY);
    });
    await world.run(
      async () => void (await purge(job)),
      async () => {
        while (!isAsleep) await other.clock.sleep(MINUTE);
        await publish(other, 6, true);
        await publish(other, 15);
      },
    );
    expect(generations()).toHaveLength(2);
    expectUnspoilt([named('publish', 15), named('publish', 6), named('purge', 14)]);
  });
});

describe('a purge that is killed while it waits for Workers', () => {
  it('leaves them a day to go over, whichever command collects, and another purge ends it', async () => {
    const before = generations();
    rightBefore(job, 'list', LOG_PREFIX, async () => {
      rightBefore(job, 'list', OBJECT_PREFIX, () => world.kill());
    });
    await world.run(async () => void (await purge(job)));
    expect(last(1)).toEqual([named('purge', 14)]);
    await world.run(async () => void (await collect(other)));
    expect(generations()).toEqual(expect.arrayContaining(before.slice(1)));
    await world.run(async () => {
      await other.clock.sleep(25 * HOUR);
      await collect(other);
    });
    expect(generations()).toHaveLength(1);
    expectUnspoilt([named('purge', 14)]);
  });
});
