/** Asks again and again what an isolate of the Worker would answer from what lies in storage. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { LoadedRelease } from '../../../src/load/loaded-release.ts';
import { ReleaseHolder } from '../../../src/load/release-holder.ts';
import { ProblemError } from '../../../src/problem.ts';
import { getStore } from '../../../src/query/directory.ts';
import { renderStore } from '../../../src/render/render-stores.ts';
import { SnapshotFormatError } from '../../../src/snapshot/format-error.ts';
import type { SnapshotSource } from '../../../src/storage/snapshot-source.ts';
import { TestBackground } from '../../support/stores/memory-snapshot.ts';
import { ASKED, type Generations } from './generations.ts';

/**
 * Milliseconds between two questions, while a publication is at work and while none is: readers
 * would take the machine from what they watch.
 */
const PAUSE = 40;
const LONG_PAUSE = 100;

const QUERY = { fields: null, language: null, rentalPointSlug: null };

export class Reader {
  /** How many answers there were. */
  answers = 0;
  /** Answers that were of no release, or of more than one. */
  readonly mixed: string[] = [];
  readonly failures: string[] = [];
  /** The release that answered last. */
  lastRelease = '';
  /** Whether a publication is at work, and what is read may change at any moment. */
  isAlert = false;
  private isStopped = false;
  private readonly holder: ReleaseHolder;
  private readonly generations: Generations;

  /** @param now milliseconds since 1970, by the isolate's clock */
  constructor(source: SnapshotSource, generations: Generations, now: () => number) {
    this.holder = new ReleaseHolder(source, { refreshInterval: 0, now });
    this.generations = generations;
  }

  /** Asks until it is stopped. */
  async run(): Promise<void> {
    while (!this.isStopped) {
      const background = new TestBackground();
      try {
        this.note(await this.ask(background));
      } catch (error) {
        this.failures.push(String(error));
      }
      await Promise.all(background.deferred);
      await sleep(this.isAlert ? PAUSE : LONG_PAUSE);
    }
  }

  stop(): void {
    this.isStopped = true;
  }

  /** Waits until `release` answers. */
  async sees(release: string): Promise<void> {
    while (this.lastRelease !== release && this.failures.length === 0) await sleep(10);
  }

  /** As the Worker does: what cannot be read yet is answered from the release before. */
  private async ask(background: TestBackground): Promise<[LoadedRelease, Set<string>]> {
    const release = await this.holder.current(background);
    try {
      return [release, await namesIn(release, background)];
    } catch (error) {
      if (!isReadFault(error)) throw error;
      const other = await this.holder.insteadOf(release, error.cause, background);
      return [other, await namesIn(other, background)];
    }
  }

  private note([{ id }, names]: [LoadedRelease, Set<string>]): void {
    const expected = this.generations.nameOf(id);
    const isOfOne = names.size === 1 && expected !== undefined && names.has(expected);
    if (!isOfOne) this.mixed.push(`release ${id} answered ${[...names].join(', ')}`);
    this.answers++;
    this.lastRelease = id;
  }
}

function isReadFault(error: unknown): error is Error {
  if (error instanceof SnapshotFormatError) return true;
  return error instanceof ProblemError && error.code === 'storage_unreachable';
}

/** What the stores asked for are called. */
async function namesIn(release: LoadedRelease, background: TestBackground): Promise<Set<string>> {
  const names = new Set<string>();
  for (const slug of ASKED) {
    const body = await getStore(release, slug, QUERY, background, (store) =>
      renderStore(store, 0, QUERY, null),
    );
    names.add(JSON.parse(new TextDecoder().decode(body)).profile.name);
  }
  return names;
}
