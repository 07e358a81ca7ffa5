/** Contenders that run: each in a workerd of its own, as one isolate or as several. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeConfig } from './capnp.ts';
import { type ContenderName, configurationOf, type Plan, socketOf } from './configuration.ts';
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
  /** D1 alone: where its database listens. */
  readonly databasePort?: number;
  /** Megabytes that the heap of V8 may grow to. */
  readonly heapLimit?: number;
}

/** One isolate that has answered nothing yet. */
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
}

let started = 0;

export async function startContender(
  name: ContenderName,
  stage: Stage,
  options: StartOptions = {},
): Promise<RunningContender> {
  const { isolates: count = 1, inspect = false, databasePort = 0, heapLimit } = options;
  const number = ++started;
  const lanes = Array.from({ length: count }, (_, index) => `${name}-${number}-${index}`);
  const configFile = join(stage.folder, `${name}-${number}.capnp`);
  const v8Flags = heapLimit === undefined ? [] : [`--max-old-space-size=${heapLimit}`];
  const plan: Plan = { ...stage, name, lanes, databasePort, v8Flags };
  await writeFile(configFile, writeConfig(configurationOf(plan)));
  const process = await WorkerdProcess.start(configFile, lanes.map(socketOf), inspect);
  const isolates = lanes.map((lane) => ({ lane, port: process.port(socketOf(lane)) }));
  const [{ port, lane }] = isolates as [Isolate];
  return { name, process, isolates, port, lane };
}
