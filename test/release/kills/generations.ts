/** Releases of which each answer tells which one it is from. */
import { mkdir, mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { compileToFolder } from '../../../scripts/build/compile-to-folder.ts';
import { SILENT_PROGRESS } from '../../../scripts/cli/progress.ts';
import type { SourceStore } from '../../../scripts/compile/source-store.ts';
import { buildStore } from '../../support/stores/store-builder.ts';

const STORES = 60;
const UNWATCHED = { progress: SILENT_PROGRESS, signal: new AbortController().signal };

/** Stores that a reader asks for, all over the release: those that each generation changes. */
export const ASKED = [1, 19, 31, 45, 59].map((number) => `store-${number}`);

export interface Generation {
  /** Where it was built. */
  readonly snapshot: string;
  /** Its id. */
  readonly release: string;
}

export class Generations {
  private readonly folder: string;
  /** The name of the stores of each release, by its id. */
  private readonly names = new Map<string, string>();

  /** @param folder an empty one, to build in */
  constructor(folder: string) {
    this.folder = folder;
  }

  /** Builds another one. */
  async next(): Promise<Generation> {
    const name = `Generation ${this.names.size + 1}`;
    await mkdir(this.folder, { recursive: true });
    const work = await mkdtemp(join(this.folder, 'work-'));
    const built = await compileToFolder(storesOf(name), work, UNWATCHED);
    const { release } = built.manifest;
    this.names.set(release, name);
    return { snapshot: built.folder, release };
  }

  /** What the stores asked for are called in a release. */
  nameOf(release: string): string | undefined {
    return this.names.get(release);
  }
}

/** Every other store stays as it is, so that releases share objects. */
async function* storesOf(name: string): AsyncGenerator<SourceStore> {
  for (let number = 1; number <= STORES; number++) {
    const store = buildStore(number);
    yield number % 2 === 0 ? store : { ...store, profile: { ...store.profile, name } };
  }
}
