/** Everything a run needs for one number of stores: data, storage, bundles, servers. */
import { rmSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { ask } from './client/connection.ts';
import { Publisher, type TokenTexts } from './data/publisher.ts';
import { CACHE_FOLDER, type PreparedData, prepareData } from './data/stores.ts';
import { constantAnswer, RequestWriter } from './requests/prepare-requests.ts';
import { CASE_NAMES, type CaseName } from './requests/request.ts';
import { type Purpose, RequestStream } from './requests/request-log.ts';
import { bundleModules } from './server/bundle.ts';
import type { ContenderName } from './server/configuration.ts';
import {
  FreshIsolates,
  type RunningContender,
  type Stage,
  type StartOptions,
  startContender,
} from './server/contender.ts';
import { Storage } from './storage/storage.ts';

export interface Scene {
  readonly data: PreparedData;
  readonly storage: Storage;
  readonly service: RunningContender;
  readonly writer: RequestWriter;
  readonly stream: (name: CaseName, purpose: Purpose) => RequestStream;
  readonly tokens: TokenTexts;
  /** Starts another server, which the caller stops, or `close`. */
  readonly start: (name: ContenderName, options?: StartOptions) => Promise<RunningContender>;
  readonly freshIsolates: (name: ContenderName, options?: StartOptions) => FreshIsolates;
  /** Puts snapshots live, and knows which one is. */
  readonly publisher: Publisher;
  /** Stops every server. */
  readonly close: () => Promise<void>;
}

export async function openScene(
  storeCount: number,
  remark: (text: string) => void,
): Promise<Scene> {
  const data = await prepareData(storeCount, remark);
  const { folder, remove } = emptyFolder(data.storeCount);
  const databaseFolder = join(folder, 'database');
  const documents = join(folder, 'documents');
  await mkdir(databaseFolder, { recursive: true });
  const publisher = new Publisher(documents);
  const { texts: tokens, known: knownTokens } = await publisher.issueTokens();
  await publisher.putLive(data.snapshots.live);
  const modules = await bundleModules(folder);
  const storage = await Storage.start(documents, Object.values(data.snapshots));
  const running: RunningContender[] = [];
  const stage: Omit<Stage, 'answers'> = {
    ...{ modules, databaseFolder, folder, knownTokens },
    sourceFolder: data.sourceFolder,
    storagePort: storage.port,
  };
  const stopServers = async () => {
    await Promise.all([storage.stop(), ...running.map(({ stop }) => stop())]);
  };
  const startWith = async (answers: unknown, name: ContenderName, options?: StartOptions) => {
    const contender = await startContender(name, { ...stage, answers }, options);
    running.push(contender);
    return contender;
  };
  try {
    const service = await startWith({}, 'ours');
    const writer = new RequestWriter(tokens, service.port);
    const answers = await exampleAnswers(data, writer, service.port);
    return {
      ...{ data, storage, service, writer, publisher, tokens },
      stream: (name, purpose) => new RequestStream(name, purpose, data.facts),
      start: (name, options) => startWith(answers, name, options),
      freshIsolates: (name, options) =>
        new FreshIsolates((isolates) => startWith(answers, name, { ...options, isolates })),
      close: async () => {
        await stopServers();
        remove();
      },
    };
  } catch (error) {
    // A server that runs on would keep this process from ending.
    await stopServers();
    throw error;
  }
}

/** A folder for this run alone, so that two at a time do not disturb each other. It ends with us. */
function emptyFolder(storeCount: number): { readonly folder: string; readonly remove: () => void } {
  const folder = join(CACHE_FOLDER, 'scene', `${storeCount}-${process.pid}`);
  const remove = () => rmSync(folder, { recursive: true, force: true });
  remove();
  // The database alone takes over a gigabyte at 100,000 stores.
  process.once('exit', remove);
  return { folder, remove };
}

/** What the limit is to answer in each case. */
async function exampleAnswers(
  { facts }: PreparedData,
  writer: RequestWriter,
  port: number,
): Promise<Record<string, unknown>> {
  const answers: Record<string, unknown> = {};
  for (const name of CASE_NAMES) {
    const { bytes } = await writer.prepare(new RequestStream(name, 'hot', facts).next());
    answers[name] = constantAnswer(await ask(port, bytes));
  }
  return answers;
}
