/** Releases that were compiled beforehand, and in what order they go live. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Publication } from '../../../bench/data/documents.ts';
import type { SourceStore } from '../../../scripts/compile/source-store.ts';
import { releaseName } from '../../../src/snapshot/keys.ts';
import type { Manifest } from '../../../src/snapshot/manifest.ts';
import { ReleaseSeries } from '../compiled-stores.ts';
import { directories } from './directory.ts';

/** Every so many releases an older one goes live again for a while, so many releases older. */
const RETURN_EVERY = 30;
const RETURN_BY = 5;

export interface Release {
  readonly stores: readonly SourceStore[];
  readonly manifest: Manifest;
}

/** A release that goes live. */
export interface Turn extends Publication {
  /** Under which partners know it. */
  readonly name: string;
  readonly release: Release;
}

/** Compiles releases and writes their objects into a folder, each of which is named by its hash. */
export async function compileReleases(count: number, objectsFolder: string): Promise<Release[]> {
  await mkdir(objectsFolder);
  const written = new Set<string>();
  const releases: Release[] = [];
  const series = new ReleaseSeries();
  for (const stores of directories(count)) {
    const { manifest, objects } = await series.compile(stores);
    for (const [hash, bytes] of objects) {
      if (written.has(hash)) continue;
      written.add(hash);
      await writeFile(join(objectsFolder, hash), bytes);
    }
    releases.push({ stores, manifest });
  }
  return releases;
}

/** All releases in order, with returns to older ones among them. */
export function turnsOf(releases: readonly Release[]): Turn[] {
  const order = releases.flatMap((release, place) => {
    const isReturn = place > 0 && place % RETURN_EVERY === 0;
    return isReturn ? [release, releases[place - RETURN_BY] as Release] : [release];
  });
  return order.map((release, place) => {
    const { manifest } = release;
    const number = place + 1;
    return { release, manifest, number, name: releaseName(number, manifest.release) };
  });
}
