/** Starts the stand-in for KV and talks to it. */
import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { objectKey } from '../../src/snapshot/keys.ts';
import { end, startProgram } from '../child-process.ts';
import { GENERATION } from '../data/publisher.ts';
import { BENCH_FOLDER, type Snapshot } from '../data/stores.ts';
import { CONTROL_PATH, type LaneReport, type LaneSettings } from './protocol.ts';

export class Storage {
  readonly port: number;
  private readonly child: ChildProcess;

  private constructor(child: ChildProcess, port: number) {
    this.child = child;
    this.port = port;
  }

  static async start(documents: string, snapshots: readonly Snapshot[]): Promise<Storage> {
    const settings = {
      documents,
      objects: snapshots.map(({ objectsFolder }) => objectsFolder),
      parts: snapshots.flatMap(({ manifest }) =>
        Object.values(manifest.parts).map(({ hash }) => objectKey(GENERATION, hash)),
      ),
    };
    const program = join(BENCH_FOLDER, 'storage', 'stand-in.ts');
    // Detached: see `startWorkerd`.
    const { child, line } = await startProgram(program, [JSON.stringify(settings)], {
      detached: true,
    });
    return new Storage(child, Number(line));
  }

  /** Changes how reads of a lane behave, and begins to count anew. */
  async restart(lane: string, settings: LaneSettings): Promise<void> {
    await this.control(lane, { method: 'POST', body: JSON.stringify(settings) });
  }

  /** What the lane has read since it was restarted. */
  report(lane: string): Promise<LaneReport> {
    return this.control(lane, {});
  }

  stop(): Promise<void> {
    return end(this.child);
  }

  private async control(lane: string, init: RequestInit): Promise<LaneReport> {
    const response = await fetch(`http://127.0.0.1:${this.port}${CONTROL_PATH}${lane}`, init);
    return (await response.json()) as LaneReport;
  }
}
