/** What must hold of a storage at every instant, told by the log in R2 and by nothing else. */
import { entrySchema, type LogEntry } from '../../scripts/release/log-entry.ts';
import { unsealJson } from '../../src/sealed-json.ts';
import { LOG_PREFIX, objectKey, POINTER_KEY } from '../../src/snapshot/keys.ts';
import { type CompiledStores, compileStores, storesFrom } from './compiled-stores.ts';
import { DAY, type World } from './simulated-world.ts';

/** Releases that differ in some stores and share others, by id. */
export async function compileVariants(count: number): Promise<Map<string, CompiledStores>> {
  const variants = new Map<string, CompiledStores>();
  for (let from = 1; from <= count; from++) {
    const compiled = await compileStores(storesFrom(from, from + 3));
    variants.set(compiled.manifest.release, compiled);
  }
  return variants;
}

/** Entries by the bytes that lie in storage, which never change: each is read once. */
const parsed = new WeakMap<Uint8Array, LogEntry>();

export function parseEntry(bytes: Uint8Array): LogEntry {
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
  constructor(world: World, variants: ReadonlyMap<string, CompiledStores>) {
    this.world = world;
    this.variants = variants;
    world.onDelete = (key) => this.expectUnneeded(key);
    world.onCreate = (key, bytes) => this.expectWhole(key, bytes);
  }

  /** The log, in order. */
  entries(): { entry: LogEntry; storedAt: number }[] {
    return [...this.world.r2]
      .filter(([key]) => key.startsWith(LOG_PREFIX))
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([, { bytes, storedAt }]) => ({ entry: parseEntry(bytes), storedAt }));
  }

  /** Ids of the releases that have to be there: live within eight days, and the last ten. */
  kept(): Set<string> {
    const entries = this.entries();
    const kept = new Set<string>();
    for (let index = entries.length - 1; index >= 0; index--) {
      const { entry } = entries[index] as (typeof entries)[number];
      const until = entries[index + 1]?.storedAt ?? this.world.time;
      const isKept = until > this.world.time - 8 * DAY || kept.size < 10;
      if (isKept) kept.add(entry.manifest.release);
      if (entry.kind === 'purge') break;
    }
    return kept;
  }

  /** Once everything has come to an end and all lag has passed. */
  expectSettled(): void {
    const entries = this.entries();
    const last = entries.at(-1)?.entry;
    const pointer = this.world.truth(POINTER_KEY);
    const number = pointer && JSON.parse(new TextDecoder().decode(pointer)).number;
    if (number !== last?.number) this.faults.push(`pointer ${number}, log ${last?.number}`);
    for (const [index, { entry }] of entries.entries()) {
      const first = entries[0]?.entry.number ?? 0;
      if (entry.number !== first + index) this.faults.push(`entry ${first + index} is missing`);
    }
    for (const release of this.kept()) this.missing(release, 'is kept');
  }

  private missing(release: string, what: string): void {
    const objects = this.variants.get(release)?.objects.keys() ?? [];
    const lost = [...objects].filter((hash) => !this.world.truth(objectKey(hash)));
    if (lost.length > 0) this.faults.push(`release ${release} ${what} and lacks ${lost.length}`);
  }

  private expectUnneeded(key: string): void {
    for (const release of this.kept()) {
      const hashes = this.variants.get(release)?.objects.keys() ?? [];
      if ([...hashes].some((hash) => objectKey(hash) === key)) {
        this.faults.push(`${key} was deleted, release ${release} needs it`);
      }
    }
  }

  private expectWhole(key: string, bytes: Uint8Array): void {
    if (key.startsWith(LOG_PREFIX)) this.missing(parseEntry(bytes).manifest.release, 'goes live');
  }
}
