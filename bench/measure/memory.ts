/**
 * The worst moments of an isolate's memory, garbage included: with everything loaded, while fifty
 * connections ask for scattered pages, and while the directory under them is replaced by one in
 * which every store has changed, is compared with the one before, and comes back.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { Random } from '../../fixtures/generator/random.ts';
import { CHANGES_PATH, LIST_PATH } from '../../src/http/paths.ts';
import { withConnections } from '../client/drive.ts';
import { LastingConnection } from '../client/lasting-connection.ts';
import type { Snapshot } from '../data/prepare-data.ts';
import { STORE_OPTIONS } from '../data/store-options.ts';
import type { MemoryResult } from '../report/results.ts';
import { drawRequest } from '../requests/draw-request.ts';
import { headerOf } from '../requests/prepare-requests.ts';
import { CASE_NAMES, type CaseName } from '../requests/request.ts';
import { RequestStream } from '../requests/request-log.ts';
import type { Scene } from '../scene.ts';
import { socketOf } from '../server/configuration.ts';
import type { RunningContender } from '../server/contender.ts';
import { COLD, SINGLES_AT_ONCE } from '../storage/storage.ts';
import { MemoryWatch } from './memory-watch.ts';
import { walkDirectory } from './walk.ts';

export interface MemoryPlan {
  /** Of the scattered pages before the publication, and after each change. */
  readonly seconds: number;
}

const OK = 200;

/** The most changes that a page has. */
const CHANGES_LIMIT = 1000;
const CONNECTIONS = 50;
const HEAP_LIMIT = 48;

/** Pages whose stores lie all over the directory. */
const SCATTERED: readonly CaseName[] = ['names', 'near-wide', 'list-fields'];

/** Requests of each case that bring everything in: nine languages, all columns. */
const LOADING_REQUESTS = 100;

/** Milliseconds after which a release that no answer has come from counts as not taken up. */
const PATIENCE = 90_000;
const PROBE_INTERVAL = 500;

interface Tally {
  requests: number;
  failed: number;
}

export async function measureMemory(scene: Scene, { seconds }: MemoryPlan): Promise<MemoryResult> {
  const { data, changed } = scene;
  if (!changed) throw new Error('there is no second snapshot to publish');
  const start = performance.now();
  const service = await scene.start('ours', { inspect: true, heapLimit: HEAP_LIMIT });
  const watch = await MemoryWatch.open(service.process.inspectorPort, socketOf(service.lane));
  const tally: Tally = { requests: 0, failed: 0 };
  watch.enter('everything loaded');
  await loadEverything(scene, service, tally);
  await scene.storage.restart(service.lane, {
    ...COLD,
    singlesAtOnce: CONNECTIONS * SINGLES_AT_ONCE,
  });
  const load = keepAsking(scene, service, tally);
  watch.enter('50 connections of scattered pages');
  await wait(1000 * seconds);
  /** Puts another release live, and asks what has changed once it answers. */
  const follow = async (title: string, next: Snapshot) => {
    const since = scene.publisher.liveName;
    watch.enter(title);
    const followed = await isFollowed(scene, service, () => scene.publisher.putLive(next));
    await wait(1000 * seconds);
    watch.enter(`${title}: all changes`);
    await walkChanges(scene, service, since, tally);
    return followed;
  };
  const followedPublication = await follow('every store published anew', changed);
  const followedRollback = await follow('rolled back', data.snapshot);
  await load.stop();
  const phases = await watch.finish();
  await service.process.stop();
  return {
    ...{ seconds: (performance.now() - start) / 1000, ...tally, looks: watch.looks, phases },
    ...{ followedPublication, followedRollback },
  };
}

async function loadEverything(scene: Scene, service: RunningContender, tally: Tally) {
  await walkDirectory(scene, service);
  const connection = new LastingConnection(service.port);
  for (const name of CASE_NAMES) {
    const stream = new RequestStream(name, 'memory', scene.data.facts);
    for (const request of stream.take(LOADING_REQUESTS)) {
      const { bytes, status: expected } = await scene.writer.prepare(request);
      const { status } = await connection.send(bytes);
      tally.requests++;
      if (status !== expected) tally.failed++;
    }
  }
  connection.close();
}

/** Asks for all that has changed since a release, page by page. */
async function walkChanges(
  { writer, data }: Scene,
  service: RunningContender,
  since: string,
  tally: Tally,
) {
  const connection = new LastingConnection(service.port);
  for (let skip = 0; skip < data.snapshot.manifest.storeCount; skip += CHANGES_LIMIT) {
    const path = `${CHANGES_PATH}?since=${since}&limit=${CHANGES_LIMIT}&skip=${skip}`;
    const { status } = await connection.send(writer.writePath(path));
    tally.requests++;
    if (status !== OK) tally.failed++;
  }
  connection.close();
}

/** Asks for scattered pages on all connections until it is stopped. */
function keepAsking(scene: Scene, service: RunningContender, tally: Tally) {
  let isOver = false;
  const random = new Random(STORE_OPTIONS.seed, 0);
  const asking = withConnections(service.port, CONNECTIONS, async (connections) => {
    const ask = async (connection: (typeof connections)[number]) => {
      for (let turn = 0; !isOver; turn++) {
        const name = SCATTERED[turn % SCATTERED.length] ?? 'names';
        const request = drawRequest(name, random, scene.data.facts);
        const { bytes } = await scene.writer.prepare(request);
        const { status } = await connection.send(bytes);
        tally.requests++;
        if (status !== OK) tally.failed++;
      }
    };
    await Promise.all(connections.map(ask));
  });
  const stop = async () => {
    isOver = true;
    await asking;
  };
  return { stop };
}

/** Whether answers name another release than before, some time after `change`. */
async function isFollowed(
  { writer }: Scene,
  service: RunningContender,
  change: () => Promise<void>,
): Promise<boolean> {
  const connection = new LastingConnection(service.port);
  const probe = writer.writePath(`${LIST_PATH}?limit=0`);
  const readRelease = async () =>
    headerOf(await connection.fetch(probe), 'x-snapshot-release') ?? null;
  const before = await readRelease();
  await change();
  const end = performance.now() + PATIENCE;
  let now = before;
  while (now === before && performance.now() < end) {
    await wait(PROBE_INTERVAL);
    now = await readRelease();
  }
  connection.close();
  return now !== before;
}
