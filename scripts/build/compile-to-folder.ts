/** Compiles stores into a snapshot folder. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { explainWriting } from '../cli/file-error.ts';
import type { Progress } from '../cli/progress.ts';
import type { CommandContext } from '../cli/run-command.ts';
import { compileRelease } from '../compile/compile-release.ts';
import type { CompileProgress } from '../compile/release-output.ts';
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
        progress: tellPhases(progress, signal),
        hash: hashAtOnce,
      });
      await sink.finish(manifest);
      return { manifest, folder };
    } finally {
      spool.close();
    }
  });
}

const hashAtOnce = (bytes: Uint8Array): Uint8Array => createHash('sha256').update(bytes).digest();

/** Reading the stores shows its own progress, in bytes. An interrupt ends the compilation. */
function tellPhases(progress: Progress, signal: AbortSignal): CompileProgress {
  let current: string | null = null;
  return (phase, done, total) => {
    signal.throwIfAborted();
    if (phase !== current) progress.begin(phase, total, 'stores');
    current = phase;
    progress.update(done);
  };
}
