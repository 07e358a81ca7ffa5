/** Which npm packages are in a bundle, by what its bundler tells of it. */
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
  return packagesOf(sources);
}

/** The folders of the packages that files are from. */
export function packagesOf(files: readonly string[]): string[] {
  return [...new Set(files.flatMap((file) => PACKAGE.exec(file)?.[1] ?? []))].sort();
}
