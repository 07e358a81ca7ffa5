/** Published releases and their objects, read back from where they were published. */
import { SnapshotFormatError } from '../../src/snapshot/format-error.ts';
import { objectKey } from '../../src/snapshot/keys.ts';
import {
  CHUNKS_PART,
  type Manifest,
  type ObjectRef,
  objectHash,
} from '../../src/snapshot/manifest.ts';
import { CommandError } from '../cli/command-error.ts';
import { getAll } from '../storage/in-flight.ts';
import type { SnapshotTarget } from '../storage/key-value-store.ts';
import type { CompiledRelease } from './compiled-release.ts';
import { listObjects } from './objects.ts';
import { explainDamage } from './release-reader.ts';

/**
 * Lists of chunks in memory at once, and their bytes, which one bulk read can answer with: at
 * 100,000 stores each is over a megabyte.
 */
const LISTS_AT_ONCE = 100;
const LIST_BYTES = 18_000_000;

/**
 * Published releases as one command sees them. An index part is read once, whichever releases it
 * belongs to, for its name tells its content. Chunks are read each time: they are the mass of it.
 * So that a part is there, or sound, has to be asked of storage itself.
 */
export class PublishedReleases {
  private readonly store: SnapshotTarget['objects'];
  /** Parts by hash. */
  private readonly parts = new Map<string, Uint8Array>();

  constructor({ objects }: SnapshotTarget) {
    this.store = objects;
  }

  /** A release as whoever compares or inspects releases takes it. */
  open(manifest: Manifest): CompiledRelease {
    const parts = new Set(Object.values(manifest.parts).map(({ hash }) => hash));
    return {
      manifest,
      readObject: async (hash) => {
        const known = this.parts.get(hash);
        if (known) return known;
        const bytes = await this.store.get(objectKey(hash));
        if (bytes && parts.has(hash)) await this.keep(hash, bytes);
        return bytes;
      },
      readObjects: async (hashes) => {
        const values = await getAll(this.store, hashes.map(objectKey));
        return byHash(hashes, values);
      },
    };
  }

  /** Reads parts of these names together, for that costs less than one by one. */
  async fetch(manifests: readonly Manifest[], names: readonly string[]): Promise<void> {
    const refs = manifests.flatMap(({ parts }) => names.flatMap((name) => parts[name] ?? []));
    const lengths = new Map<string, number>();
    for (const { hash, bytes } of refs) {
      if (!this.parts.has(hash)) lengths.set(objectKey(hash), bytes);
    }
    if (lengths.size === 0) return;
    const values = await getAll(this.store, [...lengths.keys()], lengths);
    for (const { hash } of refs) {
      const bytes = values.get(objectKey(hash));
      if (bytes && !this.parts.has(hash)) await this.keep(hash, bytes);
    }
  }

  /**
   * Every object of a release.
   * @throws CommandError release_damaged when its list of chunks is missing or damaged
   */
  listObjects(manifest: Manifest): Promise<ObjectRef[]> {
    return listWith(manifest, this.open(manifest).readObject);
  }

  /** The same; none of a release that is damaged. */
  async listIfSound(manifest: Manifest): Promise<ObjectRef[]> {
    return this.listObjects(manifest).catch((error) => {
      if (error instanceof CommandError && error.code === 'release_damaged') return [];
      throw error;
    });
  }

  /** What is damaged is read anew the next time. */
  private async keep(hash: string, bytes: Uint8Array): Promise<void> {
    if ((await objectHash(bytes)) === hash) this.parts.set(hash, bytes);
  }
}

/** The release as whoever compares or inspects releases takes it. */
export function openPublished(target: SnapshotTarget, manifest: Manifest): CompiledRelease {
  return new PublishedReleases(target).open(manifest);
}

/**
 * Tells of each release and every object of it, in the order given; lists of chunks are read
 * together.
 * @throws CommandError release_damaged
 */
export async function eachPublished(
  target: SnapshotTarget,
  manifests: readonly Manifest[],
  tell: (manifest: Manifest, objects: readonly ObjectRef[]) => void,
): Promise<void> {
  for (const group of groupsOf(manifests)) {
    const published = new PublishedReleases(target);
    await published.fetch(group, [CHUNKS_PART]);
    for (const manifest of group) tell(manifest, await published.listObjects(manifest));
  }
}

function* groupsOf(manifests: readonly Manifest[]): Generator<Manifest[]> {
  let group: Manifest[] = [];
  let bytes = 0;
  for (const manifest of manifests) {
    const length = manifest.parts[CHUNKS_PART]?.bytes ?? 0;
    if (group.length === LISTS_AT_ONCE || (group.length > 0 && bytes + length > LIST_BYTES)) {
      yield group;
      [group, bytes] = [[], 0];
    }
    group.push(manifest);
    bytes += length;
  }
  yield group;
}

function byHash(
  hashes: readonly string[],
  values: ReadonlyMap<string, Uint8Array>,
): Map<string, Uint8Array> {
  const found = new Map<string, Uint8Array>();
  for (const hash of hashes) {
    const bytes = values.get(objectKey(hash));
    if (bytes) found.set(hash, bytes);
  }
  return found;
}

function listWith(
  manifest: Manifest,
  read: (hash: string) => Promise<Uint8Array | null>,
): Promise<ObjectRef[]> {
  return explainDamage(manifest, () =>
    listObjects(manifest, async (hash) => {
      const bytes = await read(hash);
      if (bytes && (await objectHash(bytes)) !== hash) {
        throw new SnapshotFormatError(`object ${hash} is damaged`);
      }
      return bytes;
    }),
  );
}
