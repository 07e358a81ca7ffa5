/** The inspector of a Worker's isolate (Chrome DevTools Protocol): how much memory it holds. */
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';

/** Milliseconds between two looks. */
const LOOK_INTERVAL = 20;

/** What the inspector says of an isolate, in bytes. */
interface HeapUsage {
  /** Objects on V8's heap. */
  readonly usedSize: number;
  /** Contents of ArrayBuffers, which lie outside of the heap. */
  readonly backingStorageSize: number;
}

/**
 * Looks at the memory of a Worker's isolate again and again, and keeps the worst moment of each phase.
 * @param port the inspector of the process
 * @param service the Worker's name
 */
export async function watchMemory(port: number, service: string, firstPhase: string) {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/${service}`);
  await once(socket, 'open');
  /** Bytes of heap and buffers together, garbage included, by the phase of the load. */
  const worst = new Map<string, number>();
  let phase = firstPhase;
  let isOver = false;
  const look = async () => {
    while (!isOver) {
      const due = performance.now() + LOOK_INTERVAL;
      const { usedSize, backingStorageSize } = await heapUsage(socket);
      worst.set(phase, Math.max(worst.get(phase) ?? 0, usedSize + backingStorageSize));
      await wait(Math.max(0, due - performance.now()));
    }
  };
  const looking = look();
  return {
    /** Begins a phase: later looks belong to it. */
    enter(next: string): void {
      phase = next;
    },
    async finish() {
      isOver = true;
      await looking;
      socket.close();
      return worst;
    },
  };
}

async function heapUsage(socket: WebSocket): Promise<HeapUsage> {
  const answered = once(socket, 'message');
  socket.send(JSON.stringify({ id: 1, method: 'Runtime.getHeapUsage' }));
  const [{ data }] = (await answered) as [MessageEvent];
  return (JSON.parse(String(data)) as { result: HeapUsage }).result;
}
