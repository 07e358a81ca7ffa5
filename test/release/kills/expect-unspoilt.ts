/** The test that publish-kill-local.test.ts and publish-kill-remote.test.ts are, each over its storage. */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { endStorage } from '../../support/kept-storage.ts';
import { Campaign } from './campaign.ts';
import { planKills, type Storage } from './kill-plan.ts';
import { describeOutcomes } from './report.ts';
import { type OpenStage, openLocalStage, openRemoteStage } from './stage.ts';

/** How many publications are killed, over both storages together, and the number of the first. */
const KILLS = Number(process.env.PUBLISH_KILLS ?? 10);
const FIRST = Number(process.env.PUBLISH_KILLS_FROM ?? 0);

/** Linux alone tells who belongs to a process group. */
export const CAN_KILL = process.platform === 'linux';

/** Milliseconds, far more than it takes. */
export const PATIENCE = 120_000 + KILLS * 30_000;

const OPEN: Record<Storage, OpenStage> = { local: openLocalStage, remote: openRemoteStage };

/** Kills the publications that are planned over one storage, and expects that nothing was spoilt. */
export async function expectUnspoilt(storage: Storage): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'publish-kill-'));
  const releases = join(folder, 'releases');
  await mkdir(releases);
  const stage = await OPEN[storage](folder);
  const campaign = new Campaign(stage, releases);
  try {
    await campaign.begin();
    const reading = campaign.reader.run();
    for (const kill of planKills(FIRST, KILLS, storage)) await campaign.kill(kill);
    await campaign.end();
    await reading;
  } finally {
    campaign.reader.stop();
    await stage.close();
    await endStorage();
    await rm(folder, { recursive: true, force: true });
  }
  const { outcomes, faults, reader } = campaign;
  console.log(`${storage}, ${reader.answers} answers\n${describeOutcomes(outcomes)}`);
  expect({ faults, failures: reader.failures, mixed: reader.mixed }).toEqual({
    faults: [],
    failures: [],
    mixed: [],
  });
  expect(reader.answers).toBeGreaterThan(outcomes.length);
}
