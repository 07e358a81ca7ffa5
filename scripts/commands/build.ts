/** `snapshot build`: a source compiled into a folder. */
import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import type { Manifest } from '../../src/snapshot/manifest.ts';
import { compileSource, makeWorkFolder } from '../build/release-choice.ts';
import { inspectTarget, replaceFolder } from '../build/snapshot-folder.ts';
import { cannotWrite } from '../cli/command-error.ts';
import type { SourceChoice } from '../cli/common-options.ts';
import { formatBytes, plural } from '../cli/progress.ts';
import type { CommandContext } from '../cli/run-command.ts';

interface BuildOptions extends SourceChoice {
  readonly out: string;
}

export async function run(options: BuildOptions, context: CommandContext) {
  const { out } = options;
  // A link stays one: what it leads to is replaced.
  const target = await realpath(out).catch(() => out);
  await inspectTarget(target).catch(cannotWrite(out));
  const prefix = `${target}.building-`;
  await using workFolder = await makeWorkFolder(prefix, context.signal);
  const compiled = await compileSource(options, workFolder.path, context);
  const { folder, manifest, validation, leftOut } = compiled;
  const retired = join(workFolder.path, 'retired');
  await replaceFolder(folder, target, retired).catch(cannotWrite(out));
  return {
    data: { out, ...manifest, validation },
    text: () => [`${describeRelease(manifest)}, in ${out}`, ...leftOut].join('\n'),
  };
}

function describeRelease({ release, storeCount, locationCount, chunkBytes }: Manifest): string {
  const content = `${plural(storeCount, 'store')}, ${plural(locationCount, 'location')}`;
  return `Built release ${release}: ${content}, ${formatBytes(chunkBytes)} of documents`;
}
