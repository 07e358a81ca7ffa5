/** Everything a run needs for one number of stores: data, storage, bundles, servers. */
import { rmSync } from 'node:fs';
import { mkdir, mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { ask } from './client/connection.ts';
import { Publisher } from './data/publisher.ts';
import { CACHE_FOLDER, prepareData } from './data/stores.ts';
import { constantAnswer, RequestWriter } from './requests/prepare-requests.ts';
import { CASE_NAMES, type CaseName } from './requests/request.ts';
import { type Purpose, RequestStream } from './requests/request-log.ts';
import { bundleModules, type ContenderName } from './server/bundle.ts';
import { DATABASE_FOLDER } from './server/configuration.ts';
import {
  FreshIsolates,
  type RunningContender,
  type StartOptions,
  startContender,
} from './server/contender.ts';
import { startStorage } from './storage/storage.ts';

export type Scene = Awaited<ReturnType<typeof openScene>>;

export async function openScene(storeCount: number, remark: (text: string) => void) {
  const data = await prepareData(storeCount, remark);
  // A folder for this run alone, so that two at a time do not disturb each other. It ends with us:
  // the database alone takes over a gigabyte at 100,000 stores.
  const folder = await mkdtemp(join(CACHE_FOLDER, 'run-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  await mkdir(join(folder, DATABASE_FOLDER));
  await bundleModules(folder);
  const documents = join(folder, 'documents');
  const publisher = new Publisher(documents);
  const { texts: tokens, known: knownTokens } = await publisher.issueTokens();
  await publisher.putLive(data.snapshots.live);
  const storage = await startStorage(documents, data);
  const { sourceFolder, facts } = data;
  const running: RunningContender[] = [];
  /** What the limit is to answer in each case. */
  let answers = {};
  const stream = (name: CaseName, purpose: Purpose) => new RequestStream(name, purpose, facts);
  /** Starts another server, which the caller stops, or `close`. */
  const start = async (name: ContenderName, options?: StartOptions) => {
    const stage = { folder, sourceFolder, knownTokens, answers, storagePort: storage.port };
    const contender = await startContender(name, stage, options);
    running.push(contender);
    return contender;
  };
  /** Stops every server. */
  const close = async () => {
    await Promise.all([storage.stop(), ...running.map(({ stop }) => stop())]);
  };
  try {
    const service = await start('ours');
    const writer = new RequestWriter(tokens, service.port);
    const answering = Array.fromAsync(CASE_NAMES, async (name) => {
      const { bytes } = await writer.prepare(stream(name, 'hot').next());
      return [name, constantAnswer(await ask(service.port, bytes))];
    });
    answers = Object.fromEntries(await answering);
    return {
      ...{ data, storage, service, writer, tokens, stream, start, close },
      /** Removed when the run ends. */
      folder,
      /** Puts snapshots live, and knows which one is. */
      publisher,
      freshIsolates: (name: ContenderName, options?: StartOptions) =>
        new FreshIsolates((isolates) => start(name, { ...options, isolates })),
    };
  } catch (error) {
    // A server that runs on would keep this process from ending.
    await close();
    throw error;
  }
}
