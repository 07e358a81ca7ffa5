/** Compiles stores into a snapshot folder. */
import { createHash } from 'node:crypto';
import { closeSync, openSync, readSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { explainWriting } from '../cli/file-error.ts';
import type { Progress } from '../cli/progress.ts';
import type { CommandContext } from '../cli/run-command.ts';
import { compileRelease } from '../compile/compile-release.ts';
import type { CompilePhase, CompileProgress, RecordSpool } from '../compile/release-output.ts';
import type { SourceStore } from '../compile/source-store.ts';
import { SnapshotFolderWriter } from './snapshot-folder.ts';

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
    const sink = await SnapshotFolderWriter.create(folder);
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
  let current: CompilePhase = 'stores';
  return (phase, done, total) => {
    signal.throwIfAborted();
    if (phase === 'stores') return;
    if (phase !== current) {
      current = phase;
      progress.begin(phase === 'chunks' ? 'Compiling' : 'Indexing', total, 'stores');
    }
    progress.update(done);
  };
}

/** Records are gathered up to this many bytes before they are written. */
const WRITE_SIZE = 1024 * 1024;

/**
 * Compiled records in a file, between the two passes of a compilation.
 *
 * Synchronous beneath its promises: the file stays in the system's cache, where a call takes
 * microseconds, and a hundred thousand waits for a thread pool take seconds.
 */
export class FileSpool implements RecordSpool {
  private readonly file: number;
  private readonly unwritten = new Uint8Array(WRITE_SIZE);
  private unwrittenBytes = 0;
  private length = 0;

  /** Creates the file `path`, which must not exist. */
  constructor(path: string) {
    this.file = openSync(path, 'wx+');
  }

  async append(record: Uint8Array): Promise<number> {
    const offset = this.length;
    this.length += record.length;
    if (this.unwrittenBytes + record.length > WRITE_SIZE) this.flush();
    if (record.length > WRITE_SIZE) this.write(record);
    else {
      this.unwritten.set(record, this.unwrittenBytes);
      this.unwrittenBytes += record.length;
    }
    return offset;
  }

  async read(offset: number, record: Uint8Array): Promise<void> {
    this.flush();
    const { length } = record;
    for (let done = 0; done < length; ) {
      const count = readSync(this.file, record, done, length - done, offset + done);
      if (count === 0) throw new RangeError(`no record of ${length} bytes at ${offset}`);
      done += count;
    }
  }

  close(): void {
    closeSync(this.file);
  }

  private flush(): void {
    this.write(this.unwritten.subarray(0, this.unwrittenBytes));
    this.unwrittenBytes = 0;
  }

  private write(bytes: Uint8Array): void {
    for (let done = 0; done < bytes.length; ) done += writeSync(this.file, bytes, done);
  }
}
