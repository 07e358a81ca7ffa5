/**
 * Random sequences of what two machines may do to one storage at the same time. LOG_SEQUENCES sets
 * how many, LOG_SEED where they begin.
 */
import { beforeAll, expect, it } from 'vitest';
import { CommandError } from '../../scripts/cli/command-error.ts';
import { type Decision, entrySchema } from '../../scripts/release/log-entry.ts';
import { openLog } from '../../scripts/release/open-log.ts';
import {
  LOG_PREFIX,
  OBJECT_PREFIX,
  objectKey,
  POINTER_KEY,
  RELEASE_PREFIX,
  releaseKey,
  releaseName,
} from '../../src/snapshot/keys.ts';
import type { PublishedManifest } from '../../src/snapshot/manifest.ts';
import { unsealJson } from '../../src/storage/sealed-json.ts';
import { MemoryTarget } from '../support/memory-target.ts';
import { DAY, HOUR, LAG, Machine, World } from '../support/simulated-world.ts';
import { type CompiledStores, publishRelease } from '../support/stores/compiled-stores.ts';
import { decodePointer } from '../support/stores/memory-snapshot.ts';
import { publishFourteen } from './support/fourteen-releases.ts';
import { collect, goBack, purge, resume } from './support/operator.ts';

const SEQUENCES = Number(process.env.LOG_SEQUENCES ?? 60);
const SEED = Number(process.env.LOG_SEED ?? 1);
/** What each machine does in a sequence. */
const STEPS = 6;

let variants: CompiledStores[];
const start = new MemoryTarget();

beforeAll(async () => {
  variants = await publishFourteen(start, 24);
});

/** One command. What ends with an error that says why has ended well. */
async function act(machine: Machine): Promise<string> {
  const { random } = machine.world;
  const die = random.fraction();
  try {
    if (die < 0.4) {
      const afresh = random.chance(0.25);
      const { number } = await publishRelease(random.pick(variants), machine, { afresh });
      return `publish ${number}`;
    }
    if (die < 0.55) {
      const release = random.chance(0.5) ? null : random.pick(variants).manifest.release;
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
      const options = { beginLog: true };
      const { number } = await publishRelease(random.pick(variants), machine, options);
      return `begin ${number}`;
    }
    const time = random.pick([5 * 60_000, HOUR, 13 * HOUR, 25 * HOUR, 9 * DAY]);
    await machine.clock.sleep(random.fraction() * time);
    return 'sleep';
  } catch (error) {
    const isSaid = error instanceof CommandError && !error.code.endsWith('_unreadable');
    if (isSaid) return error.code;
    throw error;
  }
}

/** Has the machine sleep, for weeks too, its clock jump, and a mortal one die, somewhere in its work. */
function disturb(machine: Machine, isMortal: boolean): void {
  const { world } = machine;
  const { random } = world;
  let isDead = false;
  machine.before = async (what) => {
    // Requests side by side die once.
    if (isDead) await new Promise(() => {});
    const die = random.fraction();
    if (isMortal && die > 0.996) {
      isDead = true;
      await world.kill();
    }
    // The moments that matter most.
    const isDecision = what === 'create' || what === 'delete';
    if (isDecision && die < 0.15) {
      return machine.clock.sleep(random.pick([HOUR, 13 * HOUR, 25 * HOUR, 20 * DAY]));
    }
    if (die < 0.004)
      await machine.clock.sleep(random.pick([2 * 60_000, HOUR, 25 * HOUR, 10 * DAY]));
    else if (die < 0.006) machine.offset += random.pick([-DAY, DAY, -HOUR, HOUR]);
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

/** Entries by the bytes that lie in storage, which never change: each is read once. */
const parsed = new WeakMap<Uint8Array, Decision>();

function parseEntry(bytes: Uint8Array): Decision {
  const known = parsed.get(bytes);
  if (known) return known;
  const entry = entrySchema.parse(unsealJson(new TextDecoder().decode(bytes)));
  parsed.set(bytes, entry);
  return entry;
}

/** What must hold of a storage at every instant, told by the log in R2 and by nothing else. */
class Oracle {
  /** What was found wrong. */
  readonly faults: string[] = [];
  private readonly world: World;
  private readonly variants: ReadonlyMap<string, CompiledStores>;

  /** Watches `world` from now on. */
  constructor(world: World, releases: readonly CompiledStores[]) {
    this.world = world;
    this.variants = new Map(releases.map((each) => [each.manifest.release, each]));
    world.onDelete = (key) => this.expectUnneeded(key);
    world.bucket.storing = (_key, bytes) => {
      this.expectWhole(parseEntry(bytes).manifest, 'goes live');
      return bytes;
    };
  }

  /** The log, in order. */
  entries(): { entry: Decision; storedAt: number }[] {
    return [...this.world.bucket.ledgerValues]
      .filter(([key]) => key.startsWith(LOG_PREFIX))
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([, { bytes, storedAt }]) => ({ entry: parseEntry(bytes), storedAt }));
  }

  /** Releases of this log that have to be there: live within eight days of its end, and the last ten. */
  kept(): Map<string, PublishedManifest> {
    const entries = this.entries().reverse();
    const now = entries[0]?.storedAt ?? 0;
    const kept = new Map<string, PublishedManifest>();
    let until = Number.POSITIVE_INFINITY;
    for (const { entry, storedAt } of entries) {
      // What another log was about, this one has given up.
      if (entry.log.id !== entries[0]?.entry.log.id) break;
      const { generation, release } = entry.manifest;
      const isKept = until >= now - 8 * DAY || kept.size < 10;
      if (isKept) kept.set(`${generation} ${release}`, entry.manifest);
      until = storedAt;
      if (entry.kind === 'purge') break;
    }
    return kept;
  }

  /** Once everything has come to an end and all lag has passed. */
  expectSettled(): void {
    const entries = this.entries();
    const last = entries.at(-1)?.entry;
    const { number } = decodePointer(this.world.truth(POINTER_KEY)) ?? { number: 0 };
    if (number !== last?.number) this.faults.push(`pointer ${number}, log ${last?.number}`);
    for (const [index, { entry }] of entries.entries()) {
      const first = entries[0]?.entry.number ?? 0;
      if (entry.number !== first + index) this.faults.push(`entry ${first + index} is missing`);
    }
    for (const manifest of this.kept().values()) this.expectWhole(manifest, 'is kept');
  }

  /** Once everything has been collected that was given up: nothing stays for ever. */
  expectTidy(): void {
    const kept = this.kept();
    const last = this.entries().at(-1)?.entry;
    const generations = new Set([...kept.values()].map(({ generation }) => generation));
    for (const key of this.keysBelow(OBJECT_PREFIX)) {
      const [generation = ''] = key.slice(OBJECT_PREFIX.length).split('/');
      if (generation === last?.newest || generations.has(generation)) continue;
      this.faults.push(`${key} stays`);
    }
    const names = this.entries().map(({ entry: { number, manifest } }) => {
      const isKept = kept.has(`${manifest.generation} ${manifest.release}`);
      return isKept ? releaseKey(releaseName(number, manifest.release)) : '';
    });
    for (const key of this.keysBelow(RELEASE_PREFIX)) {
      if (!names.includes(key)) this.faults.push(`${key} stays`);
    }
  }

  private keysBelow(prefix: string): string[] {
    const keys = [...this.world.kv.keys()].filter((key) => key.startsWith(prefix));
    return keys.filter((key) => this.world.truth(key) !== null);
  }

  private expectWhole({ generation, release }: PublishedManifest, what: string): void {
    const objects = this.variants.get(release)?.objects.keys() ?? [];
    const lost = [...objects].filter((hash) => !this.world.truth(objectKey(generation, hash)));
    if (lost.length > 0) this.faults.push(`release ${release} ${what} and lacks ${lost.length}`);
  }

  private expectUnneeded(key: string): void {
    for (const { generation, release } of this.kept().values()) {
      const hashes = this.variants.get(release)?.objects.keys() ?? [];
      if ([...hashes].some((hash) => objectKey(generation, hash) === key)) {
        this.faults.push(`${key} was deleted, release ${release} needs it`);
      }
    }
  }
}

it(`${SEQUENCES} sequences of two machines leave what is live whole, the pointer right, lose nothing, and leave nothing behind, though one may be killed`, async () => {
  const outcomes = new Map<string, number>();
  for (let seed = SEED; seed < SEED + SEQUENCES; seed++) {
    const world = new World(seed, start);
    const oracle = new Oracle(world, variants);
    const errors: unknown[] = [];
    const told: string[] = [];
    const machines = [new Machine(world, -DAY / 2), new Machine(world, DAY / 2)];
    await world.run(
      ...machines.map((machine, index) => async () => {
        disturb(machine, index === 0);
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
