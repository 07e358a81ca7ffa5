/** The two storages over which publications are killed: this machine's, and Cloudflare's stand-in. */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { vi } from 'vitest';
import { Random } from '../../../fixtures/generator/random.ts';
import { openPlatform } from '../../../scripts/cli/platform.ts';
import type { SnapshotTarget } from '../../../scripts/storage/key-value-store.ts';
import { decodeKvValue } from '../../../scripts/storage/kv-value.ts';
import { chooseTarget } from '../../../scripts/storage/open-target.ts';
import { SYSTEM_CLOCK } from '../../../scripts/storage/pace.ts';
import type { SnapshotSource } from '../../../src/storage/snapshot-source.ts';
import { LateKv } from '../../support/cloudflare/late-kv.ts';
import { writeRemoteConfig } from '../../support/cloudflare/remote-config.ts';
import { openTarget } from '../../support/cloudflare/stage.ts';
import { CloudflareStandIn } from '../../support/cloudflare/stand-in.ts';
import { sourceOf } from '../../support/memory-target.ts';
import { Control } from './control.ts';
import { Door } from './door.ts';
import type { Kill } from './kill-plan.ts';
import { Victim } from './victim.ts';

/**
 * Milliseconds by which the stand-in's KV is late at most, in the place of 90 seconds. The clock of
 * an isolate, which waits for minutes, runs faster by the same factor.
 */
const LAG = 600;
const HASTE = 90_000 / LAG;

/** Of the draws of how late each value is. */
const LAG_SEED = 20_261_122;

/** @param folder an empty one, for what it stores */
export type OpenStage = (folder: string) => Promise<Stage>;

export interface Stage {
  /** What commands call this place. */
  readonly place: string;
  /** What rivals work on. */
  readonly target: SnapshotTarget;
  /** What lies under a key in truth, whatever readings show. */
  readonly truth: (key: string) => Promise<Uint8Array | null>;
  /** Milliseconds by which readers see late what was written, at most. */
  readonly lag: number;
  /** What an isolate reads, and its clock. */
  readonly source: SnapshotSource;
  readonly now: () => number;
  /** Options and variables by which commands find this place. */
  readonly args: readonly string[];
  readonly variables: Readonly<Record<string, string>>;
  /** Starts the publication of a folder that is to be killed. */
  start(kill: Kill, snapshot: string): Victim;
  /** Waits until what a publication has sent has arrived. */
  settle(): Promise<void>;
  close(): Promise<void>;
}

const PLACE_ARGS = ['--env', 'staging'];
/** Names of generations change all over: by force. */
const PUBLISH_ARGS = ['--force', '--author', 'victim'];

export async function openLocalStage(folder: string): Promise<Stage> {
  const variables = { STORE_DIRECTORY_STATE: join(folder, 'state') };
  const control = await Control.start();
  vi.stubEnv('STORE_DIRECTORY_STATE', variables.STORE_DIRECTORY_STATE);
  const platform = await openPlatform('staging');
  vi.unstubAllEnvs();
  const target = chooseTarget('staging', platform.env);
  return {
    place: 'staging, on this machine',
    target,
    truth: (key) => target.objects.get(key),
    lag: 0,
    source: sourceOf(target),
    now: Date.now,
    args: PLACE_ARGS,
    variables,
    start: ({ phase, side, passes }, snapshot) => {
      const moment = JSON.stringify({ phase, side, passes });
      const args = ['--snapshot', snapshot, ...PLACE_ARGS, ...PUBLISH_ARGS];
      return new Victim(control, args, { ...variables, VICTIM_MOMENT: moment });
    },
    settle: async () => {},
    close: async () => {
      await platform.dispose();
      await control.stop();
    },
  };
}

export async function openRemoteStage(folder: string): Promise<Stage> {
  const kv = new LateKv(LAG, new Random(LAG_SEED, 0));
  const standIn = await CloudflareStandIn.start(kv);
  const [control, door] = [await Control.start(), await Door.open(standIn)];
  const args = [...PLACE_ARGS, '--remote'];
  const variables = {
    ...standIn.variables,
    STORE_DIRECTORY_CONFIG: await writeRemoteConfig(folder, 'kv'),
    STORE_DIRECTORY_STATE: folder,
  };
  return {
    place: 'staging, on Cloudflare',
    target: openTarget(standIn, 'kv', { clock: SYSTEM_CLOCK }),
    truth: async (key) => {
      const value = kv.valueOf(key);
      return value && decodeKvValue(key, value);
    },
    lag: LAG,
    source: edgeOf(kv),
    now: () => Date.now() * HASTE,
    args,
    variables,
    start: (kill, snapshot) => {
      const all = ['--snapshot', snapshot, ...args, ...PUBLISH_ARGS];
      const victim = new Victim(control, all, { ...variables, ...door.variables });
      door.expect(kill, control.listener, victim.interrupted);
      return victim;
    },
    settle: () => door.settle(),
    close: async () => {
      await door.close();
      await standIn.stop();
      await control.stop();
    },
  };
}

/** What the Worker reads of the namespace, a millisecond a read. */
function edgeOf(kv: LateKv): SnapshotSource {
  const read = async (key: string) => {
    await sleep(1);
    const value = kv.atEdge(key);
    return value && new Uint8Array(decodeKvValue(key, value)).buffer;
  };
  return { mostKeys: 100, readDocument: read, readObjects: (keys) => Promise.all(keys.map(read)) };
}
