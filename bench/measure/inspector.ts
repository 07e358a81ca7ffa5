/** The inspector of a Worker's isolate (Chrome DevTools Protocol), as far as it is needed here. */
import { once } from 'node:events';

/** Name of the service under test in every configuration. */
const TARGET = 'core:user:main';

/** One sample for so many bytes allocated. */
const SAMPLING_BYTES = 8 * 1024;

interface Target {
  readonly id: string;
  readonly webSocketDebuggerUrl: string;
}

interface Message {
  readonly id?: number;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}

/** Bytes. */
export interface HeapUsage {
  /** Objects on V8's heap. */
  readonly usedSize: number;
  readonly totalSize: number;
  /** Contents of ArrayBuffers, which lie outside of the heap. */
  readonly backingStorageSize: number;
}

export class Inspector {
  private readonly socket: WebSocket;
  private readonly waiting = new Map<number, (message: Message) => void>();
  private lastId = 0;

  private constructor(socket: WebSocket) {
    this.socket = socket;
    socket.addEventListener('message', ({ data }) => {
      const message: Message = JSON.parse(String(data));
      if (message.id !== undefined) this.waiting.get(message.id)?.(message);
    });
  }

  /** Connects to the Worker under test of the workerd process with this inspector port. */
  static async open(port: number): Promise<Inspector> {
    const response = await fetch(`http://127.0.0.1:${port}/json`);
    const targets = (await response.json()) as Target[];
    const target =
      targets.find(({ id }) => id === TARGET) ?? targets.find(({ id }) => id === 'main');
    if (!target) throw new Error(`workerd inspects ${targets.map(({ id }) => id).join(', ')} only`);
    const socket = new WebSocket(target.webSocketDebuggerUrl);
    await once(socket, 'open');
    return new Inspector(socket);
  }

  /** @throws Error with the message of the protocol */
  async call<Result>(method: string, params: object = {}): Promise<Result> {
    const id = ++this.lastId;
    const answer = new Promise<Message>((resolve) => this.waiting.set(id, resolve));
    this.socket.send(JSON.stringify({ id, method, params }));
    const { result, error } = await answer;
    this.waiting.delete(id);
    if (error) throw new Error(`${method}: ${error.message}`);
    return result as Result;
  }

  heapUsage(): Promise<HeapUsage> {
    return this.call<HeapUsage>('Runtime.getHeapUsage');
  }

  /**
   * Asks for garbage to be let go. workerd does so when the isolate is next used, and never
   * answers: `use` uses it.
   */
  async collectGarbage(use: () => Promise<unknown>): Promise<void> {
    await this.call('HeapProfiler.enable');
    this.call('HeapProfiler.collectGarbage').catch(() => {});
    await use();
  }

  /** Bytes that are allocated on the heap while `work` lasts, from samples. */
  async countAllocations(work: () => Promise<unknown>): Promise<number> {
    await this.call('HeapProfiler.enable');
    await this.call('HeapProfiler.startSampling', {
      samplingInterval: SAMPLING_BYTES,
      includeObjectsCollectedByMajorGC: true,
      includeObjectsCollectedByMinorGC: true,
    });
    await work();
    const { profile } = await this.call<{ profile: { samples: { size: number }[] } }>(
      'HeapProfiler.stopSampling',
    );
    return profile.samples.reduce((sum, { size }) => sum + size, 0);
  }

  close(): void {
    this.socket.close();
  }
}
