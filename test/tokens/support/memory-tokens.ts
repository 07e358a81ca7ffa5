/** Tokens in memory, for tests: what is stored can be looked at, and writes fail when told to. */
import type { KvKey, KvStore } from '../../../scripts/storage/key-value-store.ts';

interface Stored {
  readonly text: string;
  readonly metadata: unknown;
}

export class MemoryTokens implements KvStore {
  readonly lateness = 0;
  readonly stored = new Map<string, Stored>();
  /** Keys that were written. */
  readonly written = new Set<string>();
  /** Called before each write; what it throws is what the write fails with. */
  beforeWrite: (key: string) => void = () => {};

  async *list(prefix: string): AsyncGenerator<KvKey> {
    yield* [...this.stored]
      .filter(([key]) => key.startsWith(prefix))
      .map(([key, { metadata }]) => ({ key, bytes: null, metadata }))
      .sort((a, b) => (a.key < b.key ? -1 : 1));
  }

  async get(key: string): Promise<Uint8Array | null> {
    const stored = this.stored.get(key);
    return stored ? new TextEncoder().encode(stored.text) : null;
  }

  async put(key: string, bytes: Uint8Array, metadata: object = {}): Promise<void> {
    this.beforeWrite(key);
    const json = JSON.stringify(metadata);
    if (Buffer.byteLength(json) > 1024) throw new Error('the metadata is too long for KV');
    this.stored.set(key, { text: new TextDecoder().decode(bytes), metadata: JSON.parse(json) });
    this.written.add(key);
  }

  /** What time it is by its clock, which tests set. */
  clock = Date.now();

  now(): number {
    return this.clock;
  }

  async delete(key: string): Promise<void> {
    this.stored.delete(key);
  }

  /** What the service reads tokens through. */
  get reader() {
    return {
      get: async (keys: string[]) =>
        new Map(keys.map((key) => [key, this.stored.get(key)?.text ?? null])),
    };
  }

  /** The same, as it was when this was called: another place, which writes arrive at late. */
  elsewhere(): MemoryTokens {
    const copy = new MemoryTokens();
    for (const [key, value] of this.stored) copy.stored.set(key, value);
    return copy;
  }

  /** What was written elsewhere arrives here, in the place of what is there. */
  receive(elsewhere: MemoryTokens): void {
    for (const key of elsewhere.written) {
      this.stored.set(key, elsewhere.stored.get(key) as Stored);
    }
  }
}
