/** Starts the stand-in for KV and talks to it. */
import { join } from 'node:path';
import { objectKey } from '../../src/snapshot/keys.ts';
import { startProgram } from '../child-process.ts';
import { GENERATION } from '../data/publisher.ts';
import { BENCH_FOLDER, type PreparedData } from '../data/stores.ts';
import { CONTROL_PATH, type LaneReport, type LaneSettings } from './protocol.ts';

export type Storage = Awaited<ReturnType<typeof startStorage>>;

export async function startStorage(documents: string, data: PreparedData) {
  const snapshots = Object.values(data.snapshots);
  const settings = {
    documents,
    objects: snapshots.map(({ objectsFolder }) => objectsFolder),
    parts: snapshots.flatMap(({ manifest }) =>
      Object.values(manifest.parts).map(({ hash }) => objectKey(GENERATION, hash)),
    ),
  };
  const program = join(BENCH_FOLDER, 'storage', 'stand-in.ts');
  // Detached: see `startWorkerd`.
  const { line: port, stop } = await startProgram(program, [JSON.stringify(settings)], {
    detached: true,
  });
  const control = async (lane: string, init?: RequestInit) => {
    const response = await fetch(`http://127.0.0.1:${port}${CONTROL_PATH}${lane}`, init);
    return (await response.json()) as LaneReport;
  };
  return {
    port: Number(port),
    /** Changes how reads of a lane behave, and begins to count anew. */
    restart: (lane: string, reads: LaneSettings) =>
      control(lane, { method: 'POST', body: JSON.stringify(reads) }),
    /** What the lane has read since it was restarted. */
    report: (lane: string) => control(lane),
    stop,
  };
}
