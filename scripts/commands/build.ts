/** `snapshot build`: a source compiled into a folder. */
import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import type { Manifest } from '../../src/snapshot/manifest.ts';
import { compileToFolder } from '../build/compile-to-folder.ts';
import { inspectTarget, replaceFolder } from '../build/snapshot-folder.ts';
import { withWorkFolder } from '../build/work-folder.ts';
import { explainWriting } from '../cli/file-error.ts';
import { userPath } from '../cli/option-values.ts';
import { formatBytes, plural } from '../cli/progress.ts';
import { defineCommand } from '../cli/run-command.ts';
import { faultData, formatLeftOut } from '../source/format-faults.ts';
import {
  expectStoresOption,
  openReport,
  readStoresToCompile,
  type SourceChoice,
  skipInvalidOption,
  sourceOption,
} from '../source/source-stores.ts';

interface BuildOptions extends SourceChoice {
  readonly out: string;
  readonly skipInvalid?: boolean;
}

export const buildCommand = defineCommand<BuildOptions>('build', {
  summary: 'Compile a store export into a folder',
  declare: (command) => {
    command
      .addOption(sourceOption().makeOptionMandatory())
      .requiredOption(
        '--out <folder>',
        'new, empty, or holding a snapshot that is replaced',
        userPath,
      )
      .addOption(skipInvalidOption())
      .addOption(expectStoresOption());
  },
  examples: [
    ['--source export.ndjson --out dist/snapshot', 'compiles all stores, or none if one is faulty'],
    ['--source export.ndjson --out dist/snapshot --skip-invalid', 'compiles the good stores'],
  ],
  run: async ({ out, skipInvalid = false, ...choice }, context) => {
    const { source } = choice;
    const report = openReport(context);
    // A link stays one: what it leads to is replaced.
    const target = await realpath(out).catch(() => out);
    await explainWriting(out, () => inspectTarget(target));
    const manifest = await withWorkFolder(
      `${target}.building-`,
      context.signal,
      async (workFolder) => {
        const stores = readStoresToCompile(choice, skipInvalid, report, context);
        const built = await compileToFolder(stores, workFolder, context);
        const retired = join(workFolder, 'retired');
        await explainWriting(out, () => replaceFolder(built.folder, target, retired));
        return built.manifest;
      },
    );
    return {
      data: { out, ...manifest, validation: faultData(source, manifest.storeCount, report) },
      text: () => [`${describeRelease(manifest)}, in ${out}`, ...formatLeftOut(report)].join('\n'),
    };
  },
});

function describeRelease({ release, storeCount, locationCount, chunkBytes }: Manifest): string {
  const content = `${plural(storeCount, 'store')}, ${plural(locationCount, 'location')}`;
  return `Built release ${release}: ${content}, ${formatBytes(chunkBytes)} of documents`;
}
