/** When publishing last ran to its end, as /healthz tells it: read now and then, not at each request. */
import { ProblemError } from '../problem.ts';
import { unsealJson } from '../sealed-json.ts';
import { SnapshotFormatError } from '../snapshot/format-error.ts';
import { LAST_RUN_KEY } from '../snapshot/keys.ts';
import { lastRunSchema } from '../snapshot/last-run.ts';
import type { SnapshotSource } from '../storage/snapshot-source.ts';
import { awaitStorage, type Background } from './background.ts';
import { readDocument } from './read-document.ts';
import { SharedLoads } from './shared-loads.ts';

/** A time that was read, and until when it is relied on (milliseconds since 1970). */
interface Known {
  readonly ranAt: Date | null;
  readonly until: number;
}

export class RunWatch {
  private readonly source: SnapshotSource;
  private readonly lifetime: number;
  private readonly loads = new SharedLoads<Date | null>();
  private known: Known | null = null;

  /** @param lifetime milliseconds for which a time that was read is relied on */
  constructor(source: SnapshotSource, lifetime: number) {
    this.source = source;
    this.lifetime = lifetime;
  }

  /** The time; null when no run has written one. @throws ProblemError storage_unreachable */
  async lastRun(background: Background): Promise<Date | null> {
    if (this.known && Date.now() < this.known.until) return this.known.ranAt;
    const read = () => this.read(background);
    try {
      return await awaitStorage(this.loads.loadOne(LAST_RUN_KEY, read, background), background);
    } catch (cause) {
      const detail = 'When publishing last ran could not be read.';
      throw new ProblemError('storage_unreachable', detail, { cause });
    }
  }

  private async read(background: Background): Promise<Date | null> {
    const ranAt = await readDocument(this.source, LAST_RUN_KEY, parseRun, background);
    this.known = { ranAt, until: Date.now() + this.lifetime };
    return ranAt;
  }
}

function parseRun(bytes: ArrayBuffer): Date {
  try {
    const { ranAt } = lastRunSchema.parse(unsealJson(new TextDecoder().decode(bytes)));
    return new Date(ranAt);
  } catch (cause) {
    throw new SnapshotFormatError(
      `last run (${LAST_RUN_KEY}): ${bytes.byteLength} bytes make no sense: ${cause}`,
    );
  }
}
