/** Which npm packages are in a bundle, by what esbuild tells of it. */
import type { Metafile } from 'esbuild';

const PACKAGE =
  /^(?:.*\/)?(node_modules\/(?:(?:@[^/]+\/)?[^/]+\/node_modules\/)*(?:@[^/]+\/)?[^/]+)\//;

/** Their folders in the project, such as `node_modules/hono`, in the order of the alphabet. */
export function bundledPackages({ outputs }: Pick<Metafile, 'outputs'>): string[] {
  const sources = Object.values(outputs).flatMap(({ inputs }) =>
    Object.entries(inputs)
      // What was left out as unused has no bytes in it.
      .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
      .map(([source]) => source),
  );
  const folders = sources.flatMap((source) => PACKAGE.exec(source)?.[1] ?? []);
  return [...new Set(folders)].sort();
}
