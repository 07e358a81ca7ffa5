/** What was live, and when: the log read backwards, as far as it is needed. */
import { LOG_PREFIX, logKey } from '../../src/snapshot/keys.ts';
import { getAll } from '../storage/in-flight.ts';
import type { Ledger } from '../storage/key-value-store.ts';
import { numberOf, parseEntry } from './log.ts';
import type { Stay } from './log-entry.ts';

/** Entries read at once. */
const BATCH = 32;

/** The entries up to one of them. Each is read once, and only on demand. */
export class History {
  private readonly ledger: Ledger;
  private readonly head: Stay | null;
  /** The latest first. */
  private readonly stays: Stay[] = [];
  /** When each entry was created that has not been read, the latest first. */
  private left: readonly (readonly [number: number, from: number])[] | null = null;

  constructor(ledger: Ledger, head: Stay | null) {
    this.ledger = ledger;
    this.head = head;
    if (head) this.stays.push(head);
  }

  /**
   * The entries, the latest first, at least until `isEnough` says so or the log has no more. Where
   * another log was begun in its place, the one before ends.
   * @throws CommandError log_unreadable
   */
  async read(isEnough: (stays: readonly Stay[]) => boolean): Promise<readonly Stay[]> {
    const { head } = this;
    if (!head) return [];
    while (!isEnough(this.stays)) {
      this.left ??= await this.listBefore(head.number);
      if (this.left.length === 0) break;
      const batch = this.left.slice(0, BATCH);
      const read = await this.readEntries(batch);
      const own = read.findIndex(({ log }) => log.id !== head.log.id);
      this.stays.push(...(own < 0 ? read : read.slice(0, own)));
      this.left = own < 0 ? this.left.slice(BATCH) : [];
    }
    return this.stays;
  }

  private async listBefore(head: number) {
    const listed = await Array.fromAsync(this.ledger.list(LOG_PREFIX));
    return listed
      .map(({ key, storedAt }) => [numberOf(key), storedAt] as const)
      .filter(([number]) => number < head)
      .reverse();
  }

  private async readEntries(batch: readonly (readonly [number, number])[]): Promise<Stay[]> {
    const values = await getAll(
      this.ledger,
      batch.map(([number]) => logKey(number)),
    );
    return batch.flatMap(([number, from]) => {
      const bytes = values.get(logKey(number));
      // An old one may have been deleted since it was listed.
      return bytes ? [{ ...parseEntry(bytes, number), from }] : [];
    });
  }
}
