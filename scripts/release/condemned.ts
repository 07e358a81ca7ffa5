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

const sentenceSchema = z.object({
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

/** What one run condemned. */
export type Sentence = z.infer<typeof sentenceSchema>;

export interface StoredSentence extends Sentence {
  readonly key: string;
  readonly since: number;
  /** When the record was last written. */
  readonly storedAt: number;
}

/** Everything that is condemned at present. */
export class Condemned {
  readonly sentences: readonly StoredSentence[];
  private readonly objects: ReadonlySet<string>;

  constructor(sentences: readonly StoredSentence[]) {
    this.sentences = sentences;
    this.objects = new Set(sentences.flatMap(({ objects }) => objects));
  }

  /** What is condemned and has not been deleted. */
  pending(area: 'releases' | 'objects'): Set<string> {
    const left = this.sentences.filter(({ isDeleted }) => !isDeleted);
    return new Set(left.flatMap((sentence) => sentence[area]));
  }

  hasObject(hash: string): boolean {
    return this.objects.has(hash);
  }

  /**
   * Whether a prune has given up a release; a purge says so in the log.
   * @param number the last entry of the log in which the release was live
   */
  hasRelease(release: string, number: number): boolean {
    return this.sentences.some(
      ({ head, isPurge, releases }) => !isPurge && number <= head && releases.includes(release),
    );
  }

  /** Whether the manifest of a release is about to be deleted, whenever it was live. */
  hasManifest(release: string): boolean {
    return this.sentences.some(({ releases }) => releases.includes(release));
  }
}

/** Everything that is condemned. @throws CommandError ledger_unreadable */
export async function readCondemned(ledger: Ledger): Promise<Condemned> {
  const times = new Map<string, number>();
  for await (const { key, storedAt } of ledger.list(CONDEMNED_PREFIX)) times.set(key, storedAt);
  const values = await getAll(ledger, [...times.keys()]);
  const sentences = [...times].flatMap(([key, storedAt]) => {
    const bytes = values.get(key);
    if (!bytes) return [];
    const sentence = parseJson(bytes, sentenceSchema);
    if (!sentence) throw unreadable(key, 'what is going to be deleted');
    return [{ ...sentence, key, storedAt, since: sentence.since ?? storedAt }];
  });
  return new Condemned(sentences);
}

/** A key for a record that nobody has. */
export function newCondemnedKey(): string {
  return `${CONDEMNED_PREFIX}${randomUUID()}`;
}

/** Records a new sentence and returns its key. */
export async function condemn(
  ledger: Ledger,
  sentence: Pick<Sentence, 'head' | 'isPurge' | 'releases' | 'objects'>,
  key = newCondemnedKey(),
): Promise<string> {
  await ledger.put(key, encodeJson({ ...sentence, since: null, isDeleted: false }));
  return key;
}

/** Writes another version of a sentence in its place. */
export async function rewriteSentence(ledger: Ledger, sentence: StoredSentence): Promise<void> {
  const { key, storedAt: _, ...rest } = sentence;
  await ledger.put(key, encodeJson(rest));
}
