/**
 * Publishers are killed (SIGKILL, with everything they started) at random moments, spread over all
 * of their work, while a reader asks without pause: it gets an answer each time, of one release each
 * time, and the next publication succeeds. PUBLISH_KILLS sets how many are killed.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openPlatform, type Platform } from '../../scripts/cli/platform.ts';
import { SILENT_PROGRESS } from '../../scripts/cli/progress.ts';
import { compileToFolder } from '../../scripts/release/compile-to-folder.ts';
import { readPointer } from '../../scripts/release/pointer-copy.ts';
import type { SnapshotTarget } from '../../scripts/storage/key-value-store.ts';
import { chooseTarget } from '../../scripts/storage/open-target.ts';
import type { LoadedRelease } from '../../src/load/loaded-release.ts';
import { ReleaseHolder } from '../../src/load/release-holder.ts';
import type { SourceStore } from '../../src/model/source-store.ts';
import { renderStore } from '../../src/render/answer.ts';
import type { Chunk } from '../../src/snapshot/chunk.ts';
import { INTENT_PREFIX } from '../../src/snapshot/keys.ts';
import { CHUNKS_PART } from '../../src/snapshot/manifest.ts';
import { TestBackground } from '../shared/memory-snapshot.ts';
import { buildStore } from '../shared/store-builder.ts';
import { sourceOf } from './memory-target.ts';
import { programOf } from './run-tool.ts';

const KILLS = Number(process.env.PUBLISH_KILLS ?? 10);
const STORES = 200;
const UNWATCHED = { progress: SILENT_PROGRESS, signal: new AbortController().signal };
/** Stores that the reader asks for, all over the release. */
const ASKED = [0, 37, 99, 150, 199];

let folder: string;
let platform: Platform;
let target: SnapshotTarget;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'publish-kill-'));
  vi.stubEnv('STORE_DIRECTORY_STATE', join(folder, 'state'));
  platform = await openPlatform('staging');
  target = chooseTarget(platform.env);
});

afterAll(async () => {
  vi.unstubAllEnvs();
  await platform.dispose();
  await rm(folder, { recursive: true, force: true });
});

/** Every store names the generation, so that no two share an object. */
async function* storesOf(generation: number): AsyncGenerator<SourceStore> {
  for (let number = 1; number <= STORES; number++) {
    const store = buildStore(number);
    yield { ...store, profile: { ...store.profile, name: `Generation ${generation}` } };
  }
}

/** Compiles a generation into a folder; returns the folder and the id of the release. */
async function build(generation: number): Promise<{ snapshot: string; release: string }> {
  const work = await mkdtemp(join(folder, 'work-'));
  const built = await compileToFolder(storesOf(generation), work, UNWATCHED);
  return { snapshot: built.folder, release: built.manifest.release };
}

function startPublisher(snapshot: string): ChildProcess {
  const program = programOf('snapshot');
  const args = [
    program,
    'publish',
    '--snapshot',
    snapshot,
    '--env',
    'staging',
    '--json',
    '--force',
  ];
  // All stores have one name and change each time: by force. A group of its own: the process behind the local storage is killed with it.
  return spawn(process.execPath, args, { detached: true, stdio: 'ignore' });
}

/** Intents of publishers, and those that killed ones left. */
async function intents(): Promise<Set<string>> {
  const keys = new Set<string>();
  for await (const { key } of target.ledger.list(INTENT_PREFIX)) keys.add(key);
  return keys;
}

/** Starts a publisher and waits until it says that it publishes, which is its first write. */
async function startPublishing(snapshot: string): Promise<ChildProcess> {
  const before = await intents();
  const publisher = startPublisher(snapshot);
  const isWaiting = async () => [...(await intents())].every((key) => before.has(key));
  while (publisher.exitCode === null && (await isWaiting())) await sleep(1);
  return publisher;
}

/** Publishes, and returns how long it took from the first write on, milliseconds. */
async function timePublishing(snapshot: string): Promise<number> {
  const publisher = await startPublishing(snapshot);
  const started = performance.now();
  if (publisher.exitCode === null) await once(publisher, 'exit');
  expect(publisher.exitCode).toBe(0);
  return performance.now() - started;
}

/**
 * Publishes and kills so many milliseconds after the first write, unless all is done by then.
 * Returns how long it took from the first write on, milliseconds: less than `delay` when it ended by
 * itself.
 */
async function publishAndKill(snapshot: string, delay: number): Promise<number> {
  const publisher = await startPublishing(snapshot);
  const started = performance.now();
  if (publisher.exitCode !== null) return delay;
  const exit = once(publisher, 'exit');
  await Promise.race([exit, sleep(delay)]);
  if (publisher.exitCode === null && publisher.pid !== undefined) {
    process.kill(-publisher.pid, 'SIGKILL');
  }
  await exit;
  return performance.now() - started;
}

/** Asks without pause until stopped, and notes the generations of each answer. */
class Reader {
  readonly answers: { release: string; generations: Set<string> }[] = [];
  readonly failures: unknown[] = [];
  private stopped = false;
  private readonly holder = new ReleaseHolder(sourceOf(target), {
    refreshInterval: 0,
    report: (_event, error) => this.failures.push(error),
  });

  async run(): Promise<void> {
    while (!this.stopped) {
      const background = new TestBackground();
      try {
        const release = await this.holder.current(background);
        const generations = await generationsOf(release, background);
        this.answers.push({ release: release.id, generations });
      } catch (error) {
        this.failures.push(error);
      }
      await Promise.all(background.deferred);
    }
  }

  stop(): void {
    this.stopped = true;
  }
}

async function generationsOf(
  release: LoadedRelease,
  background: TestBackground,
): Promise<Set<string>> {
  const query = { fields: null, language: null, rentalPointSlug: null };
  const names = new Set<string>();
  await release.load([CHUNKS_PART], background);
  const { chunks, indexes } = await release.records(ASKED, background);
  for (const [place, index] of indexes.entries()) {
    const answer = renderStore({ chunk: chunks[place] as Chunk, index }, 0, query, null);
    names.add(JSON.parse(new TextDecoder().decode(answer)).profile.name);
  }
  return names;
}

describe('a publisher that is killed', () => {
  it(`${KILLS} times never spoils an answer, and the next one succeeds`, {
    timeout: 120_000 + KILLS * 30_000,
  }, async () => {
    // Before the reader begins, which leaves no core idle.
    const builds = [];
    for (let generation = 0; generation < KILLS + 3; generation++) {
      builds.push(await build(generation));
    }
    const [first, second, ...others] = builds;
    const last = others.pop();
    if (!first || !second || !last) throw new Error('too few generations');
    await timePublishing(first.snapshot);
    const reader = new Reader();
    const reading = reader.run();
    let duration = await timePublishing(second.snapshot);
    for (const [kill, { snapshot }] of others.entries()) {
      const delay = (duration * (kill + Math.random())) / KILLS;
      const took = await publishAndKill(snapshot, delay);
      // The one that was timed may have had to share the machine.
      if (took < delay) duration = took;
    }
    await timePublishing(last.snapshot);
    expect((await readPointer(target))?.manifest.release).toBe(last.release);
    const seen = reader.answers.length;
    while (reader.answers.length < seen + 3 && reader.failures.length === 0) await sleep(10);
    reader.stop();
    await reading;

    // A publisher that comes to its end takes its intent away.
    const killed = (await intents()).size;
    console.log(`${killed} of ${KILLS} publishers were killed in the middle of their work`);

    expect(reader.failures).toEqual([]);
    expect(killed).toBeGreaterThan(0);
    expect(reader.answers.at(-1)?.release).toBe(last.release);
    expect(reader.answers.length).toBeGreaterThan(KILLS);
    const released = builds.map(({ release }) => release);
    for (const { release, generations } of reader.answers) {
      expect([...generations]).toEqual([`Generation ${released.indexOf(release)}`]);
    }
  });
});
