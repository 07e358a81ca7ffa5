/**
 * What is going to be deleted. A prune records what nothing refers to and leaves it where it is; a
 * later one deletes it, at least a day after that. Whatever is condemned counts as absent: no list
 * shows it, nobody goes back to it, and a publication that needs it uploads it again.
 *
 *     snapshot/v…/condemned/<random>   JSON: releases by id, objects by hash, since when
 */
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { CONDEMNED_PREFIX } from '../../src/snapshot/keys.ts';
import { getAll } from '../storage/in-flight.ts';
import type { Ledger } from '../storage/key-value-store.ts';
import { encodeJson, parseJson, unreadable } from './published-release.ts';

const recordSchema = z.object({
  /** Number of the log's last entry then: what went live later is not meant. */
  head: z.int().min(0),
  /** When it was first written, by the clock of the storage; null: when this was. */
  since: z.int().nullable(),
  /** Whether it has been deleted. The record stays a while: lists may still show what is gone. */
  isDeleted: z.boolean(),
  /**
   * Whether a purge wrote it, before its entry in the log: until that is there, and it may never be,
   * the releases named are kept. Their objects count as absent all the same: where there is no entry,
   * the purge takes this away again; should it be killed, the next prune takes out what is kept.
   */
  isPurge: z.boolean(),
  releases: z.array(z.string()).readonly(),
  objects: z.array(z.string()).readonly(),
});

/** What one run condemned: a prune or a purge. */
export type DeletionRecord = z.infer<typeof recordSchema>;

export interface StoredDeletionRecord extends DeletionRecord {
  readonly key: string;
  readonly since: number;
  /** When the record was last written. */
  readonly storedAt: number;
}

/** Everything that is condemned at present. */
export class Condemned {
  readonly records: readonly StoredDeletionRecord[];
  private readonly objects: ReadonlySet<string>;

  constructor(records: readonly StoredDeletionRecord[]) {
    this.records = records;
    this.objects = new Set(records.flatMap(({ objects }) => objects));
  }

  /** What is condemned and has not been deleted. */
  pending(area: 'releases' | 'objects'): Set<string> {
    const left = this.records.filter(({ isDeleted }) => !isDeleted);
    return new Set(left.flatMap((record) => record[area]));
  }

  hasObject(hash: string): boolean {
    return this.objects.has(hash);
  }

  /**
   * Whether a prune has given up a release; a purge says so in the log.
   * @param number the last entry of the log in which the release was live
   */
  hasRelease(release: string, number: number): boolean {
    return this.records.some(
      ({ head, isPurge, releases }) => !isPurge && number <= head && releases.includes(release),
    );
  }

  /** Whether the manifest of a release is about to be deleted, whenever it was live. */
  hasManifest(release: string): boolean {
    return this.records.some(({ releases }) => releases.includes(release));
  }
}

/** Everything that is condemned. @throws CommandError ledger_unreadable */
export async function readCondemned(ledger: Ledger): Promise<Condemned> {
  const times = new Map<string, number>();
  for await (const { key, storedAt } of ledger.list(CONDEMNED_PREFIX)) times.set(key, storedAt);
  const values = await getAll(ledger, [...times.keys()]);
  const records = [...times].flatMap(([key, storedAt]) => {
    const bytes = values.get(key);
    if (!bytes) return [];
    const record = parseJson(bytes, recordSchema);
    if (!record) throw unreadable(key, 'what is going to be deleted');
    return [{ ...record, key, storedAt, since: record.since ?? storedAt }];
  });
  return new Condemned(records);
}

/** A key for a new record. */
export function newCondemnedKey(): string {
  return `${CONDEMNED_PREFIX}${randomUUID()}`;
}

/** Writes a new record and returns its key. */
export async function condemn(
  ledger: Ledger,
  record: Pick<DeletionRecord, 'head' | 'isPurge' | 'releases' | 'objects'>,
  key = newCondemnedKey(),
): Promise<string> {
  await ledger.put(key, encodeJson({ ...record, since: null, isDeleted: false }));
  return key;
}

/** Writes another version of a record in its place. */
export async function rewriteDeletionRecord(
  ledger: Ledger,
  record: StoredDeletionRecord,
): Promise<void> {
  const { key, storedAt: _, ...rest } = record;
  await ledger.put(key, encodeJson(rest));
}
