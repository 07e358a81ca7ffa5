/**
 * Finds kept releases by the names that partners were told: see `snapshot/comparison.ts`.
 *
 * A name costs one read of a small document for each version that is compared, whether there is such
 * a release or not, and an isolate remembers for a while what came of it. So a request for `changes`,
 * which names two releases at the most, begins `MOST_READS` of them at the most as long as storage
 * answers, whatever names are made up. Reads that fail or hang are begun anew.
 */
import { z } from 'zod';
import { BoundedMap } from '../cache/bounded-map.ts';
import { ProblemError } from '../problem.ts';
import { unsealJson } from '../sealed-json.ts';
import { type Comparison, comparisonSchema } from '../snapshot/comparison.ts';
import { SnapshotFormatError } from '../snapshot/format-error.ts';
import { COMPARED_VERSIONS, COMPARISON_VERSION, nameKeyIn } from '../snapshot/keys.ts';
import type { SnapshotSource } from '../storage/snapshot-source.ts';
import { awaitStorage, type Background } from './background.ts';
import { readDocument } from './read-document.ts';
import { SharedLoads } from './shared-loads.ts';

/** Most reads that a request for `changes` begins to find its two releases, if none fails or hangs. */
export const MOST_READS = 2 * COMPARED_VERSIONS.length;

/** Names that are remembered, at about 1 kB each. */
const REMEMBERED = 500;

const versionSchema = z.looseObject({ comparison: z.int() });

/** What is known of a name, and until when it is relied on (milliseconds since 1970). */
interface Known {
  readonly comparison: Comparison | null;
  readonly until: number;
}

export class NamedReleases {
  private readonly source: SnapshotSource;
  private readonly lifetime: number;
  private readonly now: () => number;
  private readonly loads = new SharedLoads<Comparison | null>();
  private readonly known = new BoundedMap<string, Known>(REMEMBERED);

  /**
   * @param lifetime milliseconds for which what was read is relied on: a release may be given up
   * @param now milliseconds since 1970; replaced in tests
   */
  constructor(source: SnapshotSource, lifetime: number, now: () => number = Date.now) {
    this.source = source;
    this.lifetime = lifetime;
    this.now = now;
  }

  /**
   * What is compared of the release of this name; null when none is kept.
   * @throws ProblemError storage_unreachable
   */
  async find(name: string, background: Background): Promise<Comparison | null> {
    const known = this.known.get(name);
    if (known && this.now() < known.until) return known.comparison;
    const read = () => this.read(name, background);
    try {
      return await awaitStorage(this.loads.loadOne(name, read, background), background);
    } catch (cause) {
      const detail = 'Which releases are kept could not be read from storage.';
      throw new ProblemError('storage_unreachable', detail, { cause });
    }
  }

  /** A name is that of one release: no two versions give the same content the same id. */
  private async read(name: string, background: Background): Promise<Comparison | null> {
    const keys = COMPARED_VERSIONS.map((version) => nameKeyIn(version, name));
    const found = await Promise.all(
      keys.map((key) =>
        readDocument(this.source, key, (bytes) => parseComparison(key, bytes), background),
      ),
    );
    const comparison = found.find((one) => one !== null) ?? null;
    this.known.set(name, { comparison, until: this.now() + this.lifetime });
    return comparison;
  }
}

/** Null for what is compared in another way: nothing here can be compared with it. */
function parseComparison(key: string, bytes: ArrayBuffer): Comparison | null {
  try {
    const value = unsealJson(new TextDecoder().decode(bytes));
    const { comparison } = versionSchema.parse(value);
    return comparison === COMPARISON_VERSION ? comparisonSchema.parse(value) : null;
  } catch (error) {
    const reason = error instanceof z.ZodError ? z.prettifyError(error) : String(error);
    throw new SnapshotFormatError(`${key}: ${reason}`);
  }
}
