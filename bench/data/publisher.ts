/** Puts one release after another live, as a job that publishes every hour does. */
import { releaseName } from '../../src/snapshot/keys.ts';
import { type Publication, putLive } from './documents.ts';
import type { Snapshot } from './prepare-data.ts';

/**
 * The one place where publications get their numbers: an isolate does not follow a number that is
 * lower than the one it has read, and takes an equal one for the release that it has already.
 */
export class Publisher {
  private readonly folder: string;
  private live: Publication | null = null;

  constructor(folder: string) {
    this.folder = folder;
  }

  /** The name of the release that is live. @throws Error when none was put live yet */
  get liveName(): string {
    if (!this.live) throw new Error('no release was put live yet');
    return releaseName(this.live.number, this.live.manifest.release);
  }

  /** Whoever reads the pointer from now on finds this release. */
  async putLive({ manifest }: Pick<Snapshot, 'manifest'>): Promise<void> {
    const next = { manifest, number: (this.live?.number ?? 0) + 1 };
    await putLive(this.folder, next, this.live);
    this.live = next;
  }
}
