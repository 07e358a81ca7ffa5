/**
 * Random sequences of what two machines may do to one storage at the same time. LOG_SEQUENCES sets
 * how many, LOG_SEED where they begin.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { CommandError } from '../../scripts/cli/command-error.ts';
import { openLog } from '../../scripts/release/open-log.ts';
import { publishRelease } from '../../scripts/release/publish-release.ts';
import { DAY, HOUR, LAG, Machine, type World } from '../support/simulated-world.ts';
import { type CompiledStores, publishOptions } from '../support/stores/compiled-stores.ts';
import { collect, goBack, purge, resume } from './support/operator.ts';
import { compileVariants, Oracle, publishedWorld } from './support/publishing-oracle.ts';

const SEQUENCES = Number(process.env.LOG_SEQUENCES ?? 60);
const SEED = Number(process.env.LOG_SEED ?? 1);
/** What each machine does in a sequence. */
const STEPS = 6;

let variants: CompiledStores[];
let start: World;

beforeAll(async () => {
  variants = await compileVariants(24);
  start = await publishedWorld(variants);
});

/** One command. What ends with an error that says why has ended well. */
async function act(machine: Machine): Promise<string> {
  const { world } = machine;
  const die = world.random();
  try {
    if (die < 0.4) {
      const afresh = world.random() < 0.25;
      const options = publishOptions({ afresh });
      const { number } = await publishRelease(world.pick(variants), machine, options);
      return `publish ${number}`;
    }
    if (die < 0.55) {
      const release = world.random() < 0.5 ? null : world.pick(variants).manifest.release;
      const { entry } = await goBack(machine, release);
      return `rollback ${entry.number}`;
    }
    if (die < 0.65) {
      const entry = await resume(machine);
      return `resume ${entry?.number ?? ''}`;
    }
    if (die < 0.78) {
      await collect(machine);
      return 'collect';
    }
    if (die < 0.85) {
      const { entry } = await purge(machine);
      return `purge ${entry.number}`;
    }
    if (die < 0.88) {
      const options = publishOptions({ beginLog: true });
      const { number } = await publishRelease(world.pick(variants), machine, options);
      return `begin ${number}`;
    }
    const time = world.pick([5 * 60_000, HOUR, 13 * HOUR, 25 * HOUR, 9 * DAY]);
    await machine.clock.sleep(world.random() * time);
    return 'sleep';
  } catch (error) {
    const isSaid = error instanceof CommandError && !error.code.endsWith('_unreadable');
    if (isSaid) return error.code;
    throw error;
  }
}

/** Has the machine sleep, for weeks too, and its clock jump, somewhere in its work. */
function disturb(machine: Machine): void {
  const { world } = machine;
  machine.before = async (what) => {
    const die = world.random();
    // The moments that matter most.
    const isDecision = what === 'create' || what === 'delete';
    if (isDecision && die < 0.15) {
      return machine.clock.sleep(world.pick([HOUR, 13 * HOUR, 25 * HOUR, 20 * DAY]));
    }
    if (die < 0.004) await machine.clock.sleep(world.pick([2 * 60_000, HOUR, 25 * HOUR, 10 * DAY]));
    else if (die < 0.006) machine.offset += world.pick([-DAY, DAY, -HOUR, HOUR]);
  };
}

/** Lets all lag pass, adds an entry to the log, and collects what is given up then. */
async function settle(world: World, oracle: Oracle): Promise<void> {
  const machine = new Machine(world);
  await world.run(async () => {
    // Before that, KV may still show what a killed machine has overwritten.
    await machine.clock.sleep(2 * LAG);
    await openLog(machine);
  });
  await world.run(() => machine.clock.sleep(2 * LAG));
  oracle.expectSettled();
  await world.run(async () => {
    await machine.clock.sleep(13 * HOUR);
    const live = oracle.entries().at(-1)?.entry.manifest.release ?? '';
    await goBack(machine, live);
    await resume(machine);
    await machine.clock.sleep(25 * HOUR);
    await collect(machine);
  });
  oracle.expectTidy();
}

describe(`${SEQUENCES} sequences of two machines`, () => {
  it('leave what is live whole, the pointer right, lose nothing, and leave nothing behind', async () => {
    const outcomes = new Map<string, number>();
    for (let seed = SEED; seed < SEED + SEQUENCES; seed++) {
      const world = start.fork(seed);
      const oracle = new Oracle(world, variants);
      const errors: unknown[] = [];
      const told: string[] = [];
      const machines = [new Machine(world, -DAY / 2), new Machine(world, DAY / 2)];
      await world.run(
        ...machines.map((machine) => async () => {
          disturb(machine);
          for (let step = 0; step < STEPS; step++) {
            const outcome = await act(machine).catch((error) => {
              errors.push(error);
              return 'error';
            });
            told.push(outcome);
            const [kind = ''] = outcome.split(' ');
            outcomes.set(kind, (outcomes.get(kind) ?? 0) + 1);
          }
        }),
      );
      await settle(world, oracle);
      expect({ seed, faults: oracle.faults, errors }).toEqual({ seed, faults: [], errors: [] });
      // What was reported to have been decided is in the log.
      const numbers = new Set(oracle.entries().map(({ entry }) => entry.number));
      for (const outcome of told) {
        const [, number] = /^(?:publish|rollback|resume|purge|begin) (\d+)$/.exec(outcome) ?? [];
        if (number !== undefined) expect(numbers.has(Number(number))).toBe(true);
      }
    }
    console.log(Object.fromEntries([...outcomes].sort()));
    for (const each of ['publish', 'rollback', 'collect', 'purge', 'begin']) {
      expect(outcomes.get(each) ?? 0).toBeGreaterThan(SEQUENCES / 20);
    }
  });

  it('of which one is killed anywhere leave it to the next command to bring up the pointer', async () => {
    for (let seed = SEED; seed < SEED + SEQUENCES / 4; seed++) {
      const world = start.fork(seed + 100_000);
      const oracle = new Oracle(world, variants);
      const errors: unknown[] = [];
      const [killed, other] = [new Machine(world), new Machine(world)];
      let left = Math.floor(world.random() * 60);
      let isDead = false;
      killed.before = async () => {
        if (left-- > 0) return;
        // Requests side by side die once.
        if (isDead) await new Promise(() => {});
        isDead = true;
        await world.kill();
      };
      const work = (machine: Machine) => async () => {
        for (let step = 0; step < 3; step++)
          await act(machine).catch((error) => errors.push(error));
      };
      await world.run(work(killed), work(other));
      await settle(world, oracle);
      expect({ seed, faults: oracle.faults, errors }).toEqual({ seed, faults: [], errors: [] });
    }
  });
});
