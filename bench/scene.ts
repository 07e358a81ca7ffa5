/** Everything a run needs for one number of stores: data, requests, bundles, servers. */
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Connection } from './client/connection.ts';
import { writeDocuments } from './data/documents.ts';
import { type PreparedData, prepareData } from './data/prepare-data.ts';
import { CACHE_FOLDER } from './folders.ts';
import {
  constantAnswers,
  type PreparedCase,
  prepareCases,
  writeRequest,
} from './requests/prepare-requests.ts';
import type { BenchCase } from './requests/request.ts';
import { makeRequestLog } from './requests/request-log.ts';
import { makeTokens } from './requests/tokens.ts';
import { bundleModules } from './server/bundle.ts';
import {
  type ContenderName,
  type ContenderSetup,
  type RunningContender,
  type StartOptions,
  startContender,
} from './server/contender.ts';

export interface Scene {
  readonly data: PreparedData;
  /** Writes a request with a good token. */
  readonly write: (path: string) => Uint8Array;
  /** The service, running. */
  readonly service: RunningContender;
  readonly cases: readonly PreparedCase[];
  /** Starts another server; whoever starts it stops it, or leaves that to `close`. */
  readonly start: (name: ContenderName, options?: StartOptions) => Promise<RunningContender>;
  /** Stops every server. */
  readonly close: () => Promise<void>;
}

/** @param isWanted says which cases of the request log are measured */
export async function openScene(
  storeCount: number,
  isWanted: (group: BenchCase) => boolean,
  remark: (text: string) => void,
): Promise<Scene> {
  const data = await prepareData(storeCount, remark);
  const folder = join(CACHE_FOLDER, 'scene');
  await rm(folder, { recursive: true, force: true });
  const database = join(folder, 'database');
  await mkdir(database, { recursive: true });
  const tokens = await makeTokens();
  const documents = join(folder, 'documents');
  await writeDocuments(documents, data.manifest, tokens);
  const folders = { database, documents, source: data.sourceFolder, objects: data.objectsFolder };
  const modules = await bundleModules(folder);
  const running: RunningContender[] = [];
  const setup: ContenderSetup = { modules, folders, tokens: tokens.known, answers: [], folder };
  const startWith = async (name: ContenderName, answers: unknown, options?: StartOptions) => {
    const contender = await startContender(name, { ...setup, answers }, options);
    running.push(contender);
    return contender;
  };
  const service = await startWith('ours', []);
  const connection = await Connection.open(service.port);
  const log = makeRequestLog(storeCount).filter(isWanted);
  const cases = await prepareCases(log, tokens, connection);
  connection.close();
  const answers = constantAnswers(cases);
  return {
    data,
    write: (path) => writeRequest(path, tokens.texts.plain),
    service,
    cases,
    start: (name, options) => startWith(name, answers, options),
    close: async () => {
      await Promise.all(running.map(({ process }) => process.stop()));
    },
  };
}
