/** Compiles stores into a snapshot folder. */
import { hash } from 'node:crypto';
import { join } from 'node:path';
import { explainWriting } from '../cli/file-error.ts';
import type { CommandContext } from '../cli/run-command.ts';
import { compileRelease } from '../compile/compile-release.ts';
import type { SourceStore } from '../compile/source-store.ts';
import { FileSpool } from '../source/file-spool.ts';
import { createSnapshotFolder } from './snapshot-folder.ts';

const SNAPSHOT_FOLDER = 'snapshot';
const SPOOL_FILE = 'records';

/**
 * Compiles `stores` into a folder within `workFolder`, which the caller owns and removes; returns the
 * manifest and that folder. Errors of `stores` pass through, and the reason of `signal`.
 * @throws CommandError cannot_write
 */
export async function compileToFolder(
  stores: AsyncIterable<SourceStore>,
  workFolder: string,
  { progress, signal }: Pick<CommandContext, 'progress' | 'signal'>,
) {
  return explainWriting(workFolder, async () => {
    const folder = join(workFolder, SNAPSHOT_FOLDER);
    const sink = await createSnapshotFolder(folder);
    const spool = new FileSpool(join(workFolder, SPOOL_FILE));
    try {
      const manifest = await compileRelease(stores, {
        spool,
        sink,
        progress,
        signal,
        hash: (bytes) => hash('sha256', bytes, 'buffer'),
      });
      await sink.finish(manifest);
      return { manifest, folder };
    } finally {
      spool.close();
    }
  });
}
