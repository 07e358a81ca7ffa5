/** Watched storage as the bindings of a Worker: KV, R2, and the cache and the limiters in front of them. */
import { valueInKv } from '../stores/memory-snapshot.ts';
import { WatchedStorage } from '../watched-storage.ts';

type KvGet = (keys: string | string[], options: { type: string }) => Promise<unknown>;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

function inKv(key: string, bytes: Uint8Array): Uint8Array {
  const value = valueInKv(key, bytes);
  return typeof value === 'string' ? encoder.encode(value) : value;
}

export class BoundStorage extends WatchedStorage {
  /** The limiters refuse no request, and go wrong as reads do. */
  get env() {
    return {
      SNAPSHOTS: this.kv(),
      TOKENS: this.kv(),
      SNAPSHOT_BUCKET: this.bucket(),
      RATE_LIMITER: this.limiter('limiter'),
      GUESS_LIMITER: this.limiter('guesses'),
    };
  }

  /** A look into the cache in front of R2, in which nothing is kept but what is damaged. */
  async match(url: string): Promise<Response | undefined> {
    const damage = await this.strike(['cache']);
    const bytes = this.values.get(url.slice(url.indexOf('snapshot/')));
    const damaged = bytes && damage?.(bytes);
    if (!damaged) return undefined;
    // A real body takes turns of the event loop.
    return { arrayBuffer: async () => damaged.slice().buffer } as unknown as Response;
  }

  /** @param name stands for a key, as the name of the cache does: they have none */
  private limiter(name: string): RateLimit {
    return {
      limit: async () => {
        await this.strike([name]);
        return { success: true };
      },
    };
  }

  private kv(): KVNamespace {
    const get: KvGet = async (keys, { type }) => {
      const found = await this.read([keys].flat(), inKv);
      const values = found.map((value) =>
        type === 'text' && value ? decoder.decode(value) : value,
      );
      return Array.isArray(keys)
        ? new Map(keys.map((key, index) => [key, values[index]]))
        : values[0];
    };
    return { get } as unknown as KVNamespace;
  }

  private bucket(): R2Bucket {
    const get = async (key: string) => {
      const [value] = await this.read([key]);
      return value && { arrayBuffer: async () => value };
    };
    return { get } as unknown as R2Bucket;
  }
}

/** Storage of all stages that have none of their own: each file of tests finds it empty. */
export const storage = new BoundStorage();
