/** Looks at the memory of an isolate again and again, and keeps the worst moment of each phase. */
import { setTimeout as wait } from 'node:timers/promises';
import type { MemoryPhase } from '../report/results.ts';
import { type HeapUsage, Inspector } from './inspector.ts';

/** Milliseconds between two looks. */
const LOOK_INTERVAL = 20;

export class MemoryWatch {
  /** Looks so far. */
  looks = 0;
  private readonly inspector: Inspector;
  private readonly worst: MemoryPhase[] = [];
  private watching: Promise<void> | null = null;
  private isOver = false;

  private constructor(inspector: Inspector) {
    this.inspector = inspector;
  }

  /** @param service name of the Worker in its configuration */
  static async open(inspectorPort: number, service: string): Promise<MemoryWatch> {
    return new MemoryWatch(await Inspector.open(inspectorPort, service));
  }

  /** What is looked at from now on belongs to this phase. */
  enter(title: string): void {
    this.worst.push({ title, heap: 0, buffers: 0 });
    this.watching ??= this.watch();
  }

  /** Ends the watch and tells the worst moments. */
  async finish(): Promise<readonly MemoryPhase[]> {
    this.isOver = true;
    await this.watching;
    this.inspector.close();
    return this.worst;
  }

  private async watch(): Promise<void> {
    let due = performance.now();
    while (!this.isOver) {
      this.take(await this.inspector.heapUsage());
      const now = performance.now();
      // What was missed while an answer was awaited is not made up for.
      due = Math.max(due + LOOK_INTERVAL, now);
      await wait(due - now);
    }
  }

  private take({ usedSize, backingStorageSize }: HeapUsage): void {
    this.looks++;
    const phase = this.worst.at(-1);
    if (!phase || usedSize + backingStorageSize <= phase.heap + phase.buffers) return;
    this.worst[this.worst.length - 1] = {
      title: phase.title,
      heap: usedSize,
      buffers: backingStorageSize,
    };
  }
}
