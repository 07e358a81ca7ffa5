/** Our client before the stand-in, with a clock that waits for nothing and notes every wait. */
import { setImmediate } from 'node:timers/promises';
import { afterAll, afterEach } from 'vitest';
import type { Clock } from '../../../scripts/cli/pace.ts';
import type { CommandContext } from '../../../scripts/cli/run-command.ts';
import { readApiAccess } from '../../../scripts/storage/api-access.ts';
import { type CloudflareApi, cloudflareApi } from '../../../scripts/storage/cloudflare-api.ts';
import { cloudflareKv } from '../../../scripts/storage/cloudflare-kv.ts';
import { cloudflareR2 } from '../../../scripts/storage/cloudflare-r2.ts';
import type { SnapshotTarget } from '../../../scripts/storage/key-value-store.ts';
import { commandContext } from '../command-context.ts';
import { BUCKET, CloudflareStandIn, SNAPSHOTS_ID } from './stand-in.ts';

/** Cloudflare for the tests of a file, each of which finds nothing stored. */
export async function openStandIn(): Promise<CloudflareStandIn> {
  const standIn = await CloudflareStandIn.start();
  afterEach(() => standIn.reset());
  afterAll(() => standIn.stop());
  return standIn;
}

export class TestClock implements Clock {
  /** Milliseconds of every wait, in order. */
  readonly waits: number[] = [];
  // Signatures to R2 are good for a quarter of an hour, and the stand-in goes by the real time.
  private time = Date.now();

  now(): number {
    return this.time;
  }

  /** Lets time pass at once. */
  pass(milliseconds: number): void {
    this.time += milliseconds;
  }

  async sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    const end = this.time + milliseconds;
    this.waits.push(milliseconds);
    await setImmediate();
    signal?.throwIfAborted();
    this.time = Math.max(this.time, end);
  }
}

export interface StageOptions extends Partial<CommandContext> {
  readonly clock?: Clock;
  /** In place of the stand-in's own. */
  readonly variables?: Parameters<typeof readApiAccess>[0];
}

/** A client of the stand-in. */
export function openApi(standIn: CloudflareStandIn, options: StageOptions = {}): CloudflareApi {
  const { variables = {}, clock = new TestClock(), ...others } = options;
  const access = readApiAccess({ ...standIn.variables, ...variables });
  return cloudflareApi(access, commandContext(others), clock);
}

/** The stand-in's namespace of snapshots. */
export function openKv(standIn: CloudflareStandIn, options: StageOptions = {}) {
  return cloudflareKv(openApi(standIn, options), SNAPSHOTS_ID);
}

/** The stand-in's bucket, or another name. */
export function openR2(standIn: CloudflareStandIn, options: StageOptions = {}, bucket = BUCKET) {
  return cloudflareR2(openApi(standIn, options), bucket);
}

/** Snapshots in either, and the log in the bucket. */
export function openTarget(
  standIn: CloudflareStandIn,
  store: 'kv' | 'r2',
  options: StageOptions = {},
): SnapshotTarget {
  const { clock = new TestClock(), ...others } = options;
  const api = openApi(standIn, { clock, ...others });
  const ledger = cloudflareR2(api, BUCKET);
  const place = store === 'kv' ? `kv ${SNAPSHOTS_ID}` : `r2 ${BUCKET}`;
  return {
    site: { environment: 'staging', place },
    readersWait: 0,
    context: commandContext(others),
    clock,
    objects: store === 'kv' ? cloudflareKv(api, SNAPSHOTS_ID) : ledger,
    ledger,
  };
}
