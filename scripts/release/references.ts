/**
 * What is needed: by releases that are kept and by publications under way. All else may go.
 *
 * Intents are read before the log. A publication writes its entry before it takes its intent away,
 * so that whoever finds no intent finds the entry.
 */
import type { Progress } from '../cli/progress.ts';
import type { SnapshotTarget } from '../storage/key-value-store.ts';
import { readIntents } from './intents.ts';
import { type KeptReleases, readKeptReleases } from './kept-releases.ts';
import { openLog } from './open-log.ts';
import { eachPublished } from './published-objects.ts';

export interface References {
  readonly kept: KeptReleases;
  /** Ids of releases and hashes of objects that are needed. */
  readonly releases: ReadonlySet<string>;
  readonly objects: ReadonlySet<string>;
  /** Those that the log alone calls for. */
  readonly logged: {
    readonly releases: ReadonlySet<string>;
    readonly objects: ReadonlySet<string>;
  };
  /** When the first of it was read: by the clock of the storage, and by that of this machine. */
  readonly readAt: number;
  readonly readAtHere: number;
}

export interface ReferenceOptions {
  readonly keep?: number;
  /** Of intents, only those written after the entry of this number count; by default all. */
  readonly since?: number;
  /** Whether only the live release is kept. */
  readonly onlyLive?: boolean;
  readonly writes?: boolean;
  readonly progress: Progress;
  /** Milliseconds since 1970, by this machine. */
  readonly now: () => number;
}

/** @throws CommandError when it cannot be told what a kept release consists of */
export async function readReferences(
  target: SnapshotTarget,
  { keep, since = 0, onlyLive = false, writes = false, progress, now }: ReferenceOptions,
): Promise<References> {
  const readAtHere = now();
  const readAt = await target.ledger.now();
  const intents = (await readIntents(target.ledger, readAt)).filter(({ head }) => head >= since);
  const head = await openLog(target, { writes });
  const kept = await readKeptReleases(target, head, keep === undefined ? {} : { keep });
  const needed = onlyLive
    ? kept.releases.filter(({ manifest }) => manifest.release === head?.manifest.release)
    : kept.releases;
  const releases = new Set<string>();
  const objects = new Set<string>();
  progress.begin('Reading releases', needed.length, 'releases');
  const manifests = needed.map(({ manifest }) => manifest);
  await eachPublished(target, manifests, ({ release }, itsObjects) => {
    releases.add(release);
    for (const { hash } of itsObjects) objects.add(hash);
    progress.update(releases.size);
  });
  return {
    kept,
    releases: new Set([...releases, ...intents.map(({ release }) => release)]),
    objects: new Set([...objects, ...intents.flatMap((intent) => intent.objects)]),
    logged: { releases, objects },
    readAt,
    readAtHere,
  };
}
