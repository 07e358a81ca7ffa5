/**
 * Snapshots in Workers KV: hot values are answered by the edge cache.
 *
 * KV reads many values at once as text alone, and text outside of ASCII costs twice as much to turn
 * back into bytes. So objects that are read together lie in KV as base64: bytes of any kind, and no
 * character that JSON, in which many values travel together, has to escape. Objects that are read alone
 * lie there as they are.
 */
import { type Freshness, isReadAlone, type SnapshotSource, type StoredObject } from './reading.ts';

/** Seconds that the edge may answer without asking KV; 30 is the least KV allows. */
const CACHE_TTL: Readonly<Record<Freshness, number>> = { cached: 30 * 24 * 3600, retry: 30 };

const encoder = new TextEncoder();

export class KvSource implements SnapshotSource {
  /** Values that KV reads at once. */
  readonly maxKeys = 100;
  private readonly namespace: KVNamespace;

  constructor(namespace: KVNamespace) {
    this.namespace = namespace;
  }

  readDocument(key: string): Promise<ArrayBuffer | null> {
    return this.namespace.get(key, { type: 'arrayBuffer', cacheTtl: CACHE_TTL.retry });
  }

  async readObjects(
    objects: readonly StoredObject[],
    freshness: Freshness,
  ): Promise<(ArrayBuffer | null)[]> {
    const cacheTtl = CACHE_TTL[freshness];
    const [{ key, bytes }] = objects as readonly [StoredObject];
    if (isReadAlone(bytes)) {
      return [await this.namespace.get(key, { type: 'arrayBuffer', cacheTtl })];
    }
    const keys = objects.map((object) => object.key);
    if (keys.length === 1) {
      return [decode(await this.namespace.get(key, { type: 'text', cacheTtl }))];
    }
    const texts = await this.namespace.get(keys, { type: 'text', cacheTtl });
    return keys.map((each) => decode(texts.get(each) ?? null));
  }
}

/** Returns the bytes of a value. A damaged one may be any text: its own bytes then match no hash. */
function decode(text: string | null): ArrayBuffer | null {
  if (text === null) return null;
  try {
    return Uint8Array.fromBase64(text).buffer;
  } catch {
    return encoder.encode(text).buffer as ArrayBuffer;
  }
}
