/** `snapshot build`: a source compiled into a folder. */
import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import type { Manifest } from '../../src/snapshot/manifest.ts';
import { compileSource } from '../build/release-choice.ts';
import { inspectTarget, replaceFolder } from '../build/snapshot-folder.ts';
import { makeWorkFolder } from '../build/work-folder.ts';
import { explainWriting } from '../cli/file-error.ts';
import { userPath } from '../cli/option-values.ts';
import { formatBytes, plural } from '../cli/progress.ts';
import { defineCommand } from '../cli/run-command.ts';
import { defaultsOption } from '../source/defaults.ts';
import {
  expectStoresOption,
  type SourceChoice,
  skipInvalidOption,
  sourceOption,
} from '../source/source-stores.ts';

interface BuildOptions extends SourceChoice {
  readonly out: string;
}

export const buildCommand = defineCommand<BuildOptions>('build', {
  summary: 'Compile a store export into a folder',
  declare: (command) => {
    command
      .addOption(sourceOption().makeOptionMandatory())
      .addOption(defaultsOption())
      .requiredOption(
        '--out <folder>',
        'folder to write to: new, empty, or with an earlier snapshot, which is replaced',
        userPath,
      )
      .addOption(skipInvalidOption())
      .addOption(expectStoresOption());
  },
  examples: [
    ['--source export.ndjson --out dist/snapshot', 'compiles all stores, or none if one is faulty'],
    ['--source export.ndjson --out dist/snapshot --skip-invalid', 'compiles the good stores'],
  ],
  run: async (options, context) => {
    const { out } = options;
    // A link stays one: what it leads to is replaced.
    const target = await realpath(out).catch(() => out);
    await explainWriting(out, () => inspectTarget(target));
    const prefix = `${target}.building-`;
    await using workFolder = await makeWorkFolder(prefix, context.signal);
    const { folder, manifest, validation, leftOut } = await compileSource(
      options,
      workFolder.path,
      context,
    );
    const retired = join(workFolder.path, 'retired');
    await explainWriting(out, () => replaceFolder(folder, target, retired));
    return {
      data: { out, ...manifest, validation },
      text: () => [`${describeRelease(manifest)}, in ${out}`, ...leftOut].join('\n'),
    };
  },
});

function describeRelease({ release, storeCount, locationCount, chunkBytes }: Manifest): string {
  const content = `${plural(storeCount, 'store')}, ${plural(locationCount, 'location')}`;
  return `Built release ${release}: ${content}, ${formatBytes(chunkBytes)} of documents`;
}
