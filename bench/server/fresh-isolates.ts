/**
 * Isolates that have answered nothing yet, handed out one by one. Several come with each process:
 * starting one process for each would take longer than what is measured.
 */
import type { Isolate, RunningContender, StartOptions } from './contender.ts';

export interface FreshIsolate extends Isolate {
  /** Of the process, whose other isolates are idle. */
  readonly pid: number;
}

export class FreshIsolates {
  private readonly start: (options: StartOptions) => Promise<RunningContender>;
  private readonly perProcess: number;
  private running: RunningContender | null = null;
  private waiting: FreshIsolate[] = [];

  /** @param start starts the contender */
  constructor(start: (options: StartOptions) => Promise<RunningContender>, perProcess: number) {
    this.start = start;
    this.perProcess = perProcess;
  }

  /** `count` isolates of one process. Those handed out before may not be used any more. */
  async take(count: number): Promise<FreshIsolate[]> {
    if (this.waiting.length < count) {
      await this.stop();
      this.running = await this.start({ isolates: Math.max(count, this.perProcess) });
      const { pid } = this.running.process;
      this.waiting = this.running.isolates.map((isolate) => ({ ...isolate, pid }));
    }
    return this.waiting.splice(0, count);
  }

  async one(): Promise<FreshIsolate> {
    const [isolate] = await this.take(1);
    return isolate as FreshIsolate;
  }

  async stop(): Promise<void> {
    await this.running?.process.stop();
    this.running = null;
    this.waiting = [];
  }
}
