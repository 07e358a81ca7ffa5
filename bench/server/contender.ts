/** Contenders that run: each in a workerd of its own, as one isolate or as several. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ContenderName } from './bundle.ts';
import { type Plan, socketOf, writeConfig } from './configuration.ts';
import { INSPECTOR, startWorkerd } from './workerd.ts';

/** What all contenders of a run share. */
export type Stage = Omit<Plan, 'name' | 'lanes' | 'databasePort' | 'v8Flags'>;

export interface StartOptions {
  readonly isolates?: number;
  /** Whether to serve the inspector protocol, too. */
  readonly inspect?: boolean;
  /** D1 alone: where its database listens. */
  readonly databasePort?: number;
  /** Megabytes that the heap of V8 may grow to. */
  readonly heapLimit?: number;
}

export interface Isolate {
  readonly port: number;
  /** Under which the stand-in for KV knows it. */
  readonly lane: string;
  /** Of the process, whose other isolates are idle while one is measured. */
  readonly pid: number;
}

export type RunningContender = Awaited<ReturnType<typeof startContender>>;

let started = 0;

export async function startContender(
  name: ContenderName,
  stage: Stage,
  options: StartOptions = {},
) {
  const { isolates: count = 1, inspect = false, databasePort = 0, heapLimit } = options;
  const number = ++started;
  const lanes = Array.from({ length: count }, (_, index) => `${name}-${number}-${index}`);
  const configFile = join(stage.folder, `${name}-${number}.capnp`);
  const v8Flags = heapLimit === undefined ? [] : [`--max-old-space-size=${heapLimit}`];
  const plan: Plan = { ...stage, name, lanes, databasePort, v8Flags };
  await writeFile(configFile, writeConfig(plan));
  const sockets = [...lanes.map(socketOf), ...(inspect ? [INSPECTOR] : [])];
  const { pid, portOf, stop } = await startWorkerd(configFile, sockets);
  const isolates = lanes.map((lane) => ({ lane, port: portOf(socketOf(lane)), pid }));
  const [first] = isolates as [Isolate];
  return { ...first, name, isolates, inspectorPort: portOf(INSPECTOR), stop };
}

/** Isolates that a process starts with: each takes 50 ms. */
const ISOLATES_PER_PROCESS = 25;

/**
 * Isolates that have answered nothing yet, handed out one by one. Several come with each process:
 * starting one process for each would take longer than what is measured.
 */
export class FreshIsolates {
  private readonly start: (isolates: number) => Promise<RunningContender>;
  private running: RunningContender | null = null;
  private waiting: Isolate[] = [];

  /** @param start starts the contender */
  constructor(start: (isolates: number) => Promise<RunningContender>) {
    this.start = start;
  }

  /** Returns `count` isolates of one process. Isolates that were handed out before may not be used any more. */
  async take(count: number): Promise<Isolate[]> {
    if (this.waiting.length < count) {
      await this.stop();
      this.running = await this.start(ISOLATES_PER_PROCESS);
      this.waiting = [...this.running.isolates];
    }
    return this.waiting.splice(0, count);
  }

  async one(): Promise<Isolate> {
    const [isolate] = await this.take(1);
    return isolate as Isolate;
  }

  async stop(): Promise<void> {
    await this.running?.stop();
    this.running = null;
    this.waiting = [];
  }
}
