/** The inspector of a Worker's isolate (Chrome DevTools Protocol): how much memory it holds. */
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';

/** Milliseconds between two looks. */
const LOOK_INTERVAL = 20;

interface Target {
  readonly id: string;
  readonly webSocketDebuggerUrl: string;
}

/** Bytes. */
interface HeapUsage {
  /** Objects on V8's heap. */
  readonly usedSize: number;
  /** Contents of ArrayBuffers, which lie outside of the heap. */
  readonly backingStorageSize: number;
}

/** Looks at the memory of an isolate again and again, and keeps the worst moment of each phase. */
export class MemoryWatch {
  /** Bytes of heap and buffers together, garbage included, by the phase of the load. */
  readonly worst = new Map<string, number>();
  private readonly socket: WebSocket;
  private phase = '';
  private isOver = false;
  private watching: Promise<void> | undefined;

  private constructor(socket: WebSocket) {
    this.socket = socket;
  }

  /** Connects to a Worker of the process with this inspector port. @param service its name */
  static async open(port: number, service: string): Promise<MemoryWatch> {
    const targets = (await (await fetch(`http://127.0.0.1:${port}/json`)).json()) as Target[];
    const target = targets.find(({ id }) => id === service || id === `core:user:${service}`);
    if (!target) throw new Error(`workerd inspects ${targets.map(({ id }) => id).join(', ')} only`);
    const socket = new WebSocket(target.webSocketDebuggerUrl);
    await once(socket, 'open');
    return new MemoryWatch(socket);
  }

  /** What is looked at from now on belongs to this phase. */
  enter(phase: string): void {
    this.phase = phase;
    this.watching ??= this.watch();
  }

  async finish(): Promise<void> {
    this.isOver = true;
    await this.watching;
    this.socket.close();
  }

  private async watch(): Promise<void> {
    while (!this.isOver) {
      const due = performance.now() + LOOK_INTERVAL;
      const { usedSize, backingStorageSize } = await this.heapUsage();
      const worst = this.worst.get(this.phase) ?? 0;
      this.worst.set(this.phase, Math.max(worst, usedSize + backingStorageSize));
      await wait(Math.max(0, due - performance.now()));
    }
  }

  private async heapUsage(): Promise<HeapUsage> {
    const answered = once(this.socket, 'message');
    this.socket.send(JSON.stringify({ id: 1, method: 'Runtime.getHeapUsage' }));
    const [{ data }] = (await answered) as [MessageEvent];
    return (JSON.parse(String(data)) as { result: HeapUsage }).result;
  }
}
