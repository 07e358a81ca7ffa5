/** Snapshots in Workers KV: hot values are answered by the edge cache. */
import type { Freshness, SnapshotSource } from './snapshot-source.ts';

/** Seconds that the edge may answer without asking KV; 30 is the least KV allows. */
const CACHE_TTL: Readonly<Record<Freshness, number>> = {
  immutable: 30 * 24 * 3600,
  mutable: 30,
  retry: 30,
};

export class KvSource implements SnapshotSource {
  private readonly namespace: KVNamespace;

  constructor(namespace: KVNamespace) {
    this.namespace = namespace;
  }

  read(key: string, freshness: Freshness): Promise<ArrayBuffer | null> {
    return this.namespace.get(key, { type: 'arrayBuffer', cacheTtl: CACHE_TTL[freshness] });
  }
}
