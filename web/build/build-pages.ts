/** Builds the pages where there may be something to build. */
import { withBuildFolder } from './build-folder.ts';
import { isFresh } from './freshness.ts';
import { BUILD_FOLDER } from './site-folder.ts';

/** @returns whether there was anything to build, or it was to be built anyway */
export function buildPages(force = false): Promise<boolean> {
  return withBuildFolder(BUILD_FOLDER, async (folder) => {
    if (!force && (await isFresh())) return false;
    // Loaded on demand: not needed where another build has just done the work.
    const { buildSite } = await import('./build-site.ts');
    await buildSite(folder);
    return true;
  });
}
