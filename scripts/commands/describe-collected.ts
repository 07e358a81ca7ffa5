/** What was deleted, as publish, prune and purge tell it. */
import { plural } from '../cli/progress.ts';
import type { Collectable } from '../release/collect.ts';

export function describeCollected({ releases, generations, objects }: Collectable): string {
  const from = generations.length > 0 ? ` of ${plural(generations.length, 'generation')}` : '';
  return `${plural(releases.length, 'release')} and ${plural(objects.length, 'object')}${from}`;
}

/** The same for machines. */
export function collectedJson({ releases, generations, objects }: Collectable) {
  return {
    deletedReleases: releases,
    deletedGenerations: generations,
    deletedObjects: objects.length,
  };
}
