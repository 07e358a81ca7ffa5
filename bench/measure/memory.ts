/**
 * The worst moments of an isolate's memory, garbage included: with everything loaded, while fifty
 * connections ask for scattered pages, and while the directory under them is replaced by one in
 * which every store has changed, is compared with the one before, and comes back.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { Random } from '../../fixtures/generator/random.ts';
import { CHANGES_PATH, LIST_PATH } from '../../src/http/paths.ts';
import { type Answer, ask, type Connection } from '../client/connection.ts';
import { withConnections } from '../client/drive.ts';
import { STORE_OPTIONS } from '../data/stores.ts';
import { count, mebibytes } from '../report/figures.ts';
import { drawRequest } from '../requests/draw-request.ts';
import { headersOf } from '../requests/prepare-requests.ts';
import { CASE_NAMES, type CaseName } from '../requests/request.ts';
import { socketOf } from '../server/configuration.ts';
import type { RunningContender } from '../server/contender.ts';
import { COLD, SINGLES_AT_ONCE } from '../storage/protocol.ts';
import { walkDirectory } from './load.ts';
import { watchMemory } from './memory-watch.ts';
import type { Run } from './run.ts';

/** Bytes that an isolate may take at its worst moment. */
const LIMIT = 128 * 1024 * 1024;

const CONNECTIONS = 50;
const HEAP_LIMIT = 48;

/** Of scattered pages before the publication, and after each change of the release. */
const MAX_SECONDS = 10;

/** The most changes that a page has. */
const CHANGES_LIMIT = 1000;

/** Pages whose stores lie all over the directory, and those that need the parts of all conditions. */
const SCATTERED: readonly CaseName[] = [
  'names',
  'near-wide',
  'list-fields',
  'delivered',
  'everything',
];

/** Requests of each case that bring everything in: all languages, all columns. */
const LOADING_REQUESTS = 100;

/** Milliseconds after which a release that no answer has come from counts as not taken up. */
const PATIENCE = 90_000;
const PROBE_INTERVAL = 500;

interface Asked {
  readonly run: Run;
  readonly service: RunningContender;
  /** Answers that were not what they had to be, and changes of release that were not followed. */
  failed: number;
}

export async function measureMemory(run: Run): Promise<void> {
  const { scene, findings, where } = run;
  const { snapshots } = scene.data;
  const service = await scene.start('ours', { inspect: true, heapLimit: HEAP_LIMIT });
  const asked: Asked = { run, service, failed: 0 };
  const { inspectorPort, lane } = service;
  const watch = await watchMemory(inspectorPort, socketOf(lane), 'everything loaded');
  await loadEverything(asked);
  const singlesAtOnce = CONNECTIONS * SINGLES_AT_ONCE;
  await scene.storage.restart(lane, { ...COLD, singlesAtOnce });
  const load = keepAsking(asked);
  watch.enter('50 connections of scattered pages');
  const pause = () => wait(1000 * Math.min(MAX_SECONDS, run.rounds));
  await pause();
  const changes = [
    { title: 'every store published anew', next: snapshots.changed },
    { title: 'rolled back', next: snapshots.live },
  ];
  for (const { title, next } of changes) {
    const since = scene.publisher.liveName;
    watch.enter(title);
    await scene.publisher.putLive(next);
    await waitForRelease(asked, scene.publisher.liveName);
    await pause();
    watch.enter(`${title}: all changes`);
    await walkChanges(asked, since);
  }
  await load.stop();
  const worst = await watch.finish();
  await service.stop();
  for (const [phase, bytes] of worst) {
    findings.atMost(`memory, ${where}: worst moment`, mebibytes, phase, bytes, LIMIT);
  }
  const what = `memory, ${where}: failed answers, and changes of release that were not followed`;
  findings.atMost(what, count, '', asked.failed, 0);
}

async function loadEverything(asked: Asked): Promise<void> {
  const { scene } = asked.run;
  await walkDirectory(scene, asked.service);
  for (const name of CASE_NAMES) {
    const stream = scene.stream(name, 'memory');
    for (const request of await scene.writer.prepareAll(stream.take(LOADING_REQUESTS))) {
      await countFailure(asked, ask(asked.service.port, request.bytes), request.status);
    }
  }
}

/** Asks for all that has changed since a release, page by page. */
async function walkChanges(asked: Asked, since: string): Promise<void> {
  const { writer, data } = asked.run.scene;
  for (let skip = 0; skip < data.storeCount; skip += CHANGES_LIMIT) {
    const path = `${CHANGES_PATH}?since=${since}&limit=${CHANGES_LIMIT}&skip=${skip}`;
    await countFailure(asked, ask(asked.service.port, writer.preparePath(path).bytes));
  }
}

/** Asks for scattered pages on all connections until it is stopped. */
function keepAsking(asked: Asked): { readonly stop: () => Promise<void> } {
  const { writer, data } = asked.run.scene;
  let isOver = false;
  const random = new Random(STORE_OPTIONS.seed, 0);
  const ask = async (connection: Connection) => {
    for (let turn = 0; !isOver; turn++) {
      const name = SCATTERED[turn % SCATTERED.length] ?? 'names';
      const { bytes } = await writer.prepare(drawRequest(name, random, data.facts));
      await countFailure(asked, connection.send(bytes));
    }
  };
  const asking = withConnections(asked.service.port, CONNECTIONS, (connections) =>
    Promise.all(connections.map(ask)),
  );
  const stop = async () => {
    isOver = true;
    await asking;
  };
  return { stop };
}

async function countFailure(asked: Asked, answer: Promise<Answer>, expected = 200): Promise<void> {
  const { status } = await answer;
  if (status !== expected) asked.failed++;
}

/** Waits until answers name the release. A release that never comes counts as a failure. */
async function waitForRelease(asked: Asked, release: string): Promise<void> {
  const probe = asked.run.scene.writer.preparePath(`${LIST_PATH}?limit=0`).bytes;
  const end = performance.now() + PATIENCE;
  let shown: string | null = null;
  while (shown !== release && performance.now() < end) {
    await wait(PROBE_INTERVAL);
    shown = headersOf(await ask(asked.service.port, probe)).get('x-snapshot-release');
  }
  if (shown !== release) asked.failed++;
}
