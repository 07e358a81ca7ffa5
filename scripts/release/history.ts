/** What was live, and when: the log read backwards, as far as somebody needs it. */
import { LOG_PREFIX, logKey } from '../../src/snapshot/keys.ts';
import type { Manifest } from '../../src/snapshot/manifest.ts';
import { getAll } from '../storage/in-flight.ts';
import type { Ledger } from '../storage/key-value-store.ts';
import { numberOf, parseEntry } from './log.ts';
import type { LogEntry } from './log-entry.ts';

/** Entries read at once. */
const BATCH = 32;

/** A release from one entry of the log to the next. */
export interface Stay {
  readonly number: number;
  readonly manifest: Manifest;
  readonly kind: LogEntry['kind'];
  readonly publishedAt: string;
  readonly by: string;
  readonly note: string | null;
  readonly back: number | null;
  readonly hold: LogEntry['hold'];
  readonly cost: LogEntry['cost'];
  readonly accepted?: LogEntry['accepted'];
  /** By the clock of the storage, milliseconds since 1970. */
  readonly from: number;
  /** When the next entry came; null for the last one. */
  readonly until: number | null;
}

/** The stays up to an entry. Each entry is read once, and only when somebody looks so far back. */
export class History {
  private readonly ledger: Ledger;
  private readonly head: LogEntry | null;
  /** The latest first. */
  private readonly stays: Stay[] = [];
  private times: ReadonlyMap<number, number> | null = null;
  /** Numbers of the entries that have not been read, the latest first. */
  private left: readonly number[] = [];

  constructor(ledger: Ledger, head: LogEntry | null) {
    this.ledger = ledger;
    this.head = head;
  }

  /**
   * The stays, the latest first, at least until `isEnough` says so or the log has no more.
   * @throws CommandError log_unreadable
   */
  async read(isEnough: (stays: readonly Stay[]) => boolean): Promise<readonly Stay[]> {
    if (!this.head) return [];
    this.times ??= await this.begin(this.head);
    while (this.left.length > 0 && !isEnough(this.stays)) {
      const batch = this.left.slice(0, BATCH);
      for (const entry of await readEntries(this.ledger, batch)) this.add(entry, this.times);
      this.left = this.left.slice(BATCH);
    }
    return this.stays;
  }

  private async begin(head: LogEntry): Promise<ReadonlyMap<number, number>> {
    const times = new Map<number, number>();
    for await (const { key, storedAt } of this.ledger.list(LOG_PREFIX)) {
      times.set(numberOf(key), storedAt);
    }
    this.left = [...times.keys()].filter((number) => number < head.number).sort((a, b) => b - a);
    this.add(head, times);
    return times;
  }

  private add(entry: LogEntry, times: ReadonlyMap<number, number>): void {
    const from = times.get(entry.number) ?? Date.parse(entry.at);
    this.stays.push({ ...entry, from, until: this.stays.at(-1)?.from ?? null });
  }
}

async function readEntries(ledger: Ledger, numbers: readonly number[]): Promise<LogEntry[]> {
  const values = await getAll(ledger, numbers.map(logKey));
  // An old one may have been deleted since it was listed.
  return numbers.flatMap((number) => {
    const bytes = values.get(logKey(number));
    return bytes ? [parseEntry(bytes, number)] : [];
  });
}
