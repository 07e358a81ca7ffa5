/**
 * Finds kept releases by the names that partners were told: see `snapshot/comparison.ts`.
 *
 * A name costs one read of a small document, whether there is such a release or not, and an isolate
 * remembers for a while what came of it. So a request for `changes`, which names two releases at the
 * most, begins `MOST_READS` of them at the most, whatever names are made up.
 */
import { z } from 'zod';
import { BoundedMap } from '../cache/bounded-map.ts';
import { ProblemError } from '../problem.ts';
import { type Comparison, comparisonSchema } from '../snapshot/comparison.ts';
import { SnapshotFormatError } from '../snapshot/format-error.ts';
import { nameKey } from '../snapshot/keys.ts';
import type { SnapshotSource } from '../storage/snapshot-source.ts';
import { awaitStorage, type Background } from './background.ts';
import { type BeginReads, SharedLoads, withDeadline } from './shared-loads.ts';

/** Reads that a request for `changes` begins to find its two releases. */
export const MOST_READS = 2;

/** Names that are remembered, at about 1 kB each. */
const REMEMBERED = 500;

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
    const begin: BeginReads<Comparison | null> = (names, begun) => {
      begun();
      return new Map(names.map((each) => [each, this.read(each, background)]));
    };
    try {
      const load = this.loads.load([name], begin, background);
      return (await awaitStorage(load, background)).get(name) ?? null;
    } catch (cause) {
      const detail = 'Which releases are kept could not be read from storage.';
      throw new ProblemError('storage_unreachable', detail, { cause });
    }
  }

  private async read(name: string, { storage }: Background): Promise<Comparison | null> {
    const key = nameKey(name);
    storage.reads++;
    storage.keys++;
    const bytes = await withDeadline(this.source.readDocument(key), key);
    storage.bytes += bytes?.byteLength ?? 0;
    const comparison = bytes && parseComparison(name, bytes);
    this.known.set(name, { comparison, until: this.now() + this.lifetime });
    return comparison;
  }
}

function parseComparison(name: string, bytes: ArrayBuffer): Comparison {
  try {
    return comparisonSchema.parse(JSON.parse(new TextDecoder().decode(bytes)));
  } catch (error) {
    const reason = error instanceof z.ZodError ? z.prettifyError(error) : String(error);
    throw new SnapshotFormatError(`name ${name}: ${reason}`);
  }
}
