/** Contenders that run: each in a workerd of its own, as one isolate or as several. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeConfig } from './capnp.ts';
import {
  type ContenderName,
  configurationOf,
  DATABASE_SOCKET,
  type Plan,
  socketOf,
} from './configuration.ts';
import { WorkerdProcess } from './workerd.ts';

/** What all contenders of a run share. */
export type Stage = Pick<
  Plan,
  'modules' | 'sourceFolder' | 'databaseFolder' | 'knownTokens' | 'answers' | 'storagePort'
> & {
  /** Takes the configurations. */
  readonly folder: string;
};

export interface StartOptions {
  readonly isolates?: number;
  /** Whether to serve the inspector protocol, too. */
  readonly inspect?: boolean;
  /** D1 alone: port of another process's database, to be asked through the stand-in for KV. */
  readonly databasePort?: number | null;
  /** Megabytes that the heap of V8 may grow to. */
  readonly heapLimit?: number;
  /** Rate limiters of the service that count as they do in production; none does otherwise. */
  readonly limited?: readonly string[];
  /** Whether garbage can be collected when it is asked for. */
  readonly exposeGc?: boolean;
}

/** One isolate that nobody has asked anything yet. */
export interface Isolate {
  readonly port: number;
  /** Under which the stand-in for KV knows it. */
  readonly lane: string;
}

export interface RunningContender {
  readonly name: ContenderName;
  readonly process: WorkerdProcess;
  readonly isolates: readonly Isolate[];
  /** Where the first isolate answers. */
  readonly port: number;
  /** The lane of the first isolate. */
  readonly lane: string;
  /** Where the database of D1 can be asked by others; null where there is none. */
  readonly databasePort: number | null;
}

let started = 0;

export async function startContender(
  name: ContenderName,
  stage: Stage,
  options: StartOptions = {},
): Promise<RunningContender> {
  const { isolates: count = 1, inspect = false, databasePort = null, limited = [] } = options;
  const number = ++started;
  const lanes = Array.from({ length: count }, (_, index) => `${name}-${number}-${index}`);
  const configFile = join(stage.folder, `${name}-${number}.capnp`);
  const v8Flags = flagsOf(options);
  const plan: Plan = { ...stage, name, lanes, databasePort, v8Flags, limited };
  await writeFile(configFile, writeConfig(configurationOf(plan)));
  const ownsDatabase = name === 'd1' && databasePort === null;
  const sockets = [...lanes.map(socketOf), ...(ownsDatabase ? [DATABASE_SOCKET] : [])];
  const process = await WorkerdProcess.start(configFile, sockets, inspect);
  const isolates = lanes.map((lane) => ({ lane, port: process.port(socketOf(lane)) }));
  const [{ port, lane }] = isolates as [Isolate];
  const ownDatabasePort = ownsDatabase ? process.port(DATABASE_SOCKET) : null;
  return { name, process, isolates, port, lane, databasePort: ownDatabasePort };
}

function flagsOf({ heapLimit, exposeGc = false }: StartOptions): string[] {
  const limit = heapLimit === undefined ? [] : [`--max-old-space-size=${heapLimit}`];
  return exposeGc ? [...limit, '--expose-gc'] : limit;
}
