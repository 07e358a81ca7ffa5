/** The inspector of a Worker's isolate (Chrome DevTools Protocol), as far as it is needed here. */
import { once } from 'node:events';

interface Target {
  readonly id: string;
  readonly webSocketDebuggerUrl: string;
}

interface Message {
  readonly id?: number;
  /** Of what was not asked for. */
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}

interface ContextCreated {
  readonly context: { readonly id: number };
}

interface Evaluation {
  readonly exceptionDetails?: { readonly text: string };
}

/** Bytes. */
export interface HeapUsage {
  /** Objects on V8's heap. */
  readonly usedSize: number;
  /** Contents of ArrayBuffers, which lie outside of the heap. */
  readonly backingStorageSize: number;
}

export class Inspector {
  private readonly socket: WebSocket;
  private readonly waiting = new Map<number, (message: Message) => void>();
  private lastId = 0;
  /** Of the Worker's global scope; known once `Runtime.enable` was called. */
  private contextId: number | null = null;

  private constructor(socket: WebSocket) {
    this.socket = socket;
    socket.addEventListener('message', ({ data }) => {
      const message: Message = JSON.parse(String(data));
      if (message.id !== undefined) this.waiting.get(message.id)?.(message);
      else if (message.method === 'Runtime.executionContextCreated') {
        this.contextId = (message.params as ContextCreated).context.id;
      }
    });
    socket.addEventListener('close', () => {
      const fault = { error: { message: 'the isolate is gone' } };
      for (const answer of this.waiting.values()) answer(fault);
    });
  }

  /** Connects to a Worker of the process with this inspector port. @param service its name */
  static async open(port: number, service: string): Promise<Inspector> {
    const response = await fetch(`http://127.0.0.1:${port}/json`);
    const targets = (await response.json()) as Target[];
    const target = targets.find(({ id }) => id === service || id === `core:user:${service}`);
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
   * Collects all garbage, in a process that was started with `--expose-gc`: workerd never carries
   * out `HeapProfiler.collectGarbage`. Twice, for what the first collection sets free.
   */
  async collectGarbage(): Promise<void> {
    await this.call('Runtime.enable');
    const evaluation = { expression: 'gc(), gc()', contextId: this.contextId };
    const { exceptionDetails } = await this.call<Evaluation>('Runtime.evaluate', evaluation);
    // Else every log line would be sent here.
    await this.call('Runtime.disable');
    if (exceptionDetails) throw new Error(`no garbage was collected: ${exceptionDetails.text}`);
  }

  close(): void {
    this.socket.close();
  }
}
