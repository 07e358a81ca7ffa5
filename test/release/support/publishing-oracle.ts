/** What must hold of a storage at every instant, told by the log in R2 and by nothing else. */
import { type Decision, entrySchema } from '../../../scripts/release/log-entry.ts';
import { publishRelease } from '../../../scripts/release/publish-release.ts';
import {
  LOG_PREFIX,
  OBJECT_PREFIX,
  objectKey,
  POINTER_KEY,
  RELEASE_PREFIX,
  releaseKey,
  releaseName,
} from '../../../src/snapshot/keys.ts';
import type { PublishedManifest } from '../../../src/snapshot/manifest.ts';
import { unsealJson } from '../../../src/storage/sealed-json.ts';
import { DAY, Machine, World } from '../../support/simulated-world.ts';
import {
  type CompiledStores,
  compileStores,
  publishOptions,
  storesFrom,
} from '../../support/stores/compiled-stores.ts';
import { decodePointer } from '../../support/stores/memory-snapshot.ts';

/** So many releases that differ in some stores and share others. */
export function compileVariants(count: number): Promise<CompiledStores[]> {
  return Promise.all(
    Array.from({ length: count }, (_, index) => compileStores(storesFrom(index + 1, index + 4))),
  );
}

/**
 * A world in which the first fourteen were published, two days each, in four generations: the first
 * four are no longer kept.
 */
export async function publishedWorld(releases: readonly CompiledStores[]): Promise<World> {
  const world = new World(7);
  const machine = new Machine(world);
  await world.run(async () => {
    for (const [index, compiled] of releases.slice(0, 14).entries()) {
      await publishRelease(compiled, machine, publishOptions({ afresh: index % 4 === 0 }));
      await machine.clock.sleep(2 * DAY);
    }
  });
  return world;
}

/** Entries by the bytes that lie in storage, which never change: each is read once. */
const parsed = new WeakMap<Uint8Array, Decision>();

export function parseEntry(bytes: Uint8Array): Decision {
  const known = parsed.get(bytes);
  if (known) return known;
  const entry = entrySchema.parse(unsealJson(new TextDecoder().decode(bytes)));
  parsed.set(bytes, entry);
  return entry;
}

export class Oracle {
  /** What was found wrong. */
  readonly faults: string[] = [];
  private readonly world: World;
  private readonly variants: ReadonlyMap<string, CompiledStores>;

  /** Watches `world` from now on. */
  constructor(world: World, releases: readonly CompiledStores[]) {
    this.world = world;
    this.variants = new Map(releases.map((each) => [each.manifest.release, each]));
    world.onDelete = (key) => this.expectUnneeded(key);
    world.onCreate = (key, bytes) => {
      if (key.startsWith(LOG_PREFIX)) this.expectWhole(parseEntry(bytes).manifest, 'goes live');
    };
  }

  /** The log, in order. */
  entries(): { entry: Decision; storedAt: number }[] {
    return [...this.world.r2]
      .filter(([key]) => key.startsWith(LOG_PREFIX))
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([, { bytes, storedAt }]) => ({ entry: parseEntry(bytes), storedAt }));
  }

  /** Releases of this log that have to be there: live within eight days of its end, and the last ten. */
  kept(): Map<string, PublishedManifest> {
    const entries = this.entries().reverse();
    const now = entries[0]?.storedAt ?? 0;
    const kept = new Map<string, PublishedManifest>();
    let until = Number.POSITIVE_INFINITY;
    for (const { entry, storedAt } of entries) {
      // What another log was about, this one has given up.
      if (entry.log.id !== entries[0]?.entry.log.id) break;
      const { generation, release } = entry.manifest;
      const isKept = until >= now - 8 * DAY || kept.size < 10;
      if (isKept) kept.set(`${generation} ${release}`, entry.manifest);
      until = storedAt;
      if (entry.kind === 'purge') break;
    }
    return kept;
  }

  /** Once everything has come to an end and all lag has passed. */
  expectSettled(): void {
    const entries = this.entries();
    const last = entries.at(-1)?.entry;
    const { number } = decodePointer(this.world.truth(POINTER_KEY)) ?? { number: 0 };
    if (number !== last?.number) this.faults.push(`pointer ${number}, log ${last?.number}`);
    for (const [index, { entry }] of entries.entries()) {
      const first = entries[0]?.entry.number ?? 0;
      if (entry.number !== first + index) this.faults.push(`entry ${first + index} is missing`);
    }
    for (const manifest of this.kept().values()) this.expectWhole(manifest, 'is kept');
  }

  /** Once everything has been collected that was given up: nothing stays for ever. */
  expectTidy(): void {
    const kept = this.kept();
    const last = this.entries().at(-1)?.entry;
    const generations = new Set([...kept.values()].map(({ generation }) => generation));
    for (const key of this.keysBelow(OBJECT_PREFIX)) {
      const [generation = ''] = key.slice(OBJECT_PREFIX.length).split('/');
      if (generation === last?.newest || generations.has(generation)) continue;
      this.faults.push(`${key} stays`);
    }
    const names = this.entries().map(({ entry: { number, manifest } }) => {
      const isKept = kept.has(`${manifest.generation} ${manifest.release}`);
      return isKept ? releaseKey(releaseName(number, manifest.release)) : '';
    });
    for (const key of this.keysBelow(RELEASE_PREFIX)) {
      if (!names.includes(key)) this.faults.push(`${key} stays`);
    }
  }

  private keysBelow(prefix: string): string[] {
    const keys = [...this.world.kv.keys()].filter((key) => key.startsWith(prefix));
    return keys.filter((key) => this.world.truth(key) !== null);
  }

  private expectWhole({ generation, release }: PublishedManifest, what: string): void {
    const objects = this.variants.get(release)?.objects.keys() ?? [];
    const lost = [...objects].filter((hash) => !this.world.truth(objectKey(generation, hash)));
    if (lost.length > 0) this.faults.push(`release ${release} ${what} and lacks ${lost.length}`);
  }

  private expectUnneeded(key: string): void {
    for (const { generation, release } of this.kept().values()) {
      const hashes = this.variants.get(release)?.objects.keys() ?? [];
      if ([...hashes].some((hash) => objectKey(generation, hash) === key)) {
        this.faults.push(`${key} was deleted, release ${release} needs it`);
      }
    }
  }
}
