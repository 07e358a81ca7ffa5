/** Everything a run needs for one number of stores: data, storage, bundles, servers. */
import { rmSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { LastingConnection } from './client/lasting-connection.ts';
import { writeTokens } from './data/documents.ts';
import { prepareCircle } from './data/prepare-circle.ts';
import {
  type PreparedData,
  prepareChanged,
  prepareData,
  prepareLater,
  type Snapshot,
} from './data/prepare-data.ts';
import { Publisher } from './data/publisher.ts';
import { makeTokens } from './data/tokens.ts';
import { CACHE_FOLDER } from './folders.ts';
import { constantAnswer, RequestWriter } from './requests/prepare-requests.ts';
import { CASE_NAMES } from './requests/request.ts';
import { RequestStream } from './requests/request-log.ts';
import { bundleModules } from './server/bundle.ts';
import type { ContenderName } from './server/configuration.ts';
import {
  type RunningContender,
  type Stage,
  type StartOptions,
  startContender,
} from './server/contender.ts';
import { Storage } from './storage/storage.ts';

/** The directory, and what else may go live. */
interface Snapshots {
  readonly data: PreparedData;
  /** Every store changed; null unless it was asked for. */
  readonly changed: Snapshot | null;
  /** A hundredth of the stores changed; null unless it was asked for. */
  readonly later: Snapshot | null;
  /** Releases to be turned in a circle; empty unless they were asked for. */
  readonly circle: readonly Snapshot[];
}

export interface Scene extends Snapshots {
  readonly storage: Storage;
  /** The service, running, and a connection to it for one request at a time. */
  readonly service: RunningContender;
  readonly connection: LastingConnection;
  readonly writer: RequestWriter;
  /** Starts another server; whoever starts it stops it, or leaves that to `close`. */
  readonly start: (name: ContenderName, options?: StartOptions) => Promise<RunningContender>;
  /** Puts snapshots live, and knows which one is. */
  readonly publisher: Publisher;
  /** Stops every server. */
  readonly close: () => Promise<void>;
}

interface SceneOptions {
  readonly storeCount: number;
  /** Whether there is to be a second snapshot in which every store has changed. */
  readonly withChanged: boolean;
  /** Whether there is to be one in which a hundredth has. */
  readonly withLater: boolean;
  /** Whether there are to be ten, any two of which are a hundredth apart. */
  readonly withCircle: boolean;
}

export async function openScene(
  options: SceneOptions,
  remark: (text: string) => void,
): Promise<Scene> {
  const snapshots = await prepareSnapshots(options, remark);
  const { data } = snapshots;
  const { folder, remove } = emptyFolder(data.storeCount);
  const databaseFolder = join(folder, 'database');
  const documents = join(folder, 'documents');
  await mkdir(databaseFolder, { recursive: true });
  const tokens = await makeTokens();
  await writeTokens(documents, tokens);
  const publisher = new Publisher(documents);
  await publisher.putLive(data.snapshot);
  const modules = await bundleModules(folder);
  const storage = await Storage.start(documents, allOf(snapshots));
  const running: RunningContender[] = [];
  const stage: Omit<Stage, 'answers'> = {
    ...{ modules, databaseFolder, folder },
    sourceFolder: data.sourceFolder,
    knownTokens: tokens.known,
    storagePort: storage.port,
  };
  const stopServers = async () => {
    await Promise.all([storage.stop(), ...running.map(({ process }) => process.stop())]);
  };
  const startWith = async (answers: unknown, name: ContenderName, options?: StartOptions) => {
    const contender = await startContender(name, { ...stage, answers }, options);
    running.push(contender);
    return contender;
  };
  try {
    const service = await startWith({}, 'ours');
    const connection = new LastingConnection(service.port);
    const writer = new RequestWriter(tokens, connection);
    const answers = await exampleAnswers(data, writer, connection);
    return {
      ...{ ...snapshots, storage, service, connection, writer, publisher },
      start: (name, options) => startWith(answers, name, options),
      close: async () => {
        connection.close();
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

async function prepareSnapshots(
  { storeCount, withChanged, withLater, withCircle }: SceneOptions,
  remark: (text: string) => void,
): Promise<Snapshots> {
  const data = await prepareData(storeCount, remark);
  return {
    data,
    changed: withChanged ? await prepareChanged(data, remark) : null,
    later: withLater ? await prepareLater(data, remark) : null,
    circle: withCircle ? await prepareCircle(data, remark) : [],
  };
}

function allOf({ data, changed, later, circle }: Snapshots): Snapshot[] {
  const others = [changed, later].filter((snapshot) => snapshot !== null);
  return [data.snapshot, ...others, ...circle];
}

/** What the limit is to answer in each case. */
async function exampleAnswers(
  { facts }: PreparedData,
  writer: RequestWriter,
  connection: LastingConnection,
): Promise<Record<string, unknown>> {
  const answers: Record<string, unknown> = {};
  for (const name of CASE_NAMES) {
    const { bytes } = await writer.prepare(new RequestStream(name, 'hot', facts).next());
    answers[name] = constantAnswer(await connection.fetch(bytes));
  }
  return answers;
}
