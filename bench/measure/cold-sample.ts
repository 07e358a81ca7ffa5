/** One request to an isolate that is cold, with KV far away. */
import { setTimeout as wait } from 'node:timers/promises';
import { Connection } from '../client/connection.ts';
import { expectAnswer, type PreparedRequest } from '../client/drive.ts';
import type { BenchRequest } from '../requests/request.ts';
import type { Scene } from '../scene.ts';
import type { FreshIsolate } from '../server/fresh-isolates.ts';
import type { LaneReport, LaneSettings } from '../storage/protocol.ts';
import { INSTANT } from '../storage/storage.ts';
import { cpuSeconds } from './process-cost.ts';

export interface ColdRequest {
  readonly prepared: PreparedRequest;
  /** Brings the index in before; null: the isolate is to be fresh. */
  readonly primer: Uint8Array | null;
}

export interface ColdSample {
  readonly milliseconds: number;
  /** Milliseconds of CPU of the whole process; null where it is not known. */
  readonly cpu: number | null;
  readonly report: LaneReport;
}

/** Statuses of a request that brings the index in: an empty list, no such store, no token. */
const PRIMED = [200, 404, 401];

/** Milliseconds after which an isolate has done what it does behind an answer. */
const SETTLING_TIME = 20;

export async function prepareCold(
  { writer }: Scene,
  request: BenchRequest,
  isPrimed: boolean,
): Promise<ColdRequest> {
  const prepared = await writer.prepare(request);
  return { prepared, primer: isPrimed ? writer.primer(request) : null };
}

/** @throws Error when the answer is not what it must be */
export async function takeColdSample(
  { storage }: Scene,
  { port, lane, pid }: FreshIsolate,
  { prepared, primer }: ColdRequest,
  settings: LaneSettings,
): Promise<ColdSample> {
  const connection = await Connection.open(port);
  if (primer) {
    await storage.restart(lane, INSTANT);
    const { status } = await connection.send(primer);
    if (!PRIMED.includes(status))
      throw new Error(`the index was asked for, the answer is ${status}`);
    await wait(SETTLING_TIME);
  }
  await storage.restart(lane, settings);
  const before = cpuSeconds(pid);
  const start = performance.now();
  const answer = await connection.send(prepared.bytes);
  const milliseconds = performance.now() - start;
  const after = cpuSeconds(pid);
  connection.close();
  expectAnswer(prepared, answer);
  const cpu = before === null || after === null ? null : (after - before) * 1000;
  return { milliseconds, cpu, report: await storage.report(lane) };
}
