/** The bytes of a source: a file or standard input, unzipped where its content says so. */
import { createReadStream, type Stats } from 'node:fs';
import { stat } from 'node:fs/promises';
import { addAbortSignal, pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { CommandError, reasonOf, UsageError } from '../cli/command-error.ts';
import { STREAM_NAME } from '../cli/common-options.ts';
import { SYSTEM_CLOCK } from '../cli/pace.ts';
import type { Progress } from '../cli/progress.ts';

/** A store of more bytes than this is a fault of the source: reading holds one store in memory. */
export const MAX_RECORD_BYTES = 16 * 1024 * 1024;

const READ_SIZE = 256 * 1024;

/**
 * Milliseconds: a file that is still being written looks whole at the end of any line. The variable is
 * set where programs make their own sources, such as tests: these are whole when they are read.
 */
const DEFAULT_STANDING = process.env.STORE_DIRECTORY_FINISHED_SOURCES === '1' ? 0 : 5_000;

/** How often to wait until a file stands unchanged. */
const MAX_WAITS = 5;

interface SourceOptions {
  readonly signal?: AbortSignal;
  /** Shows the bytes read so far, before unzipping, and all there are (null: unknown). */
  readonly progress?: Pick<Progress, 'update'>;
  /** Milliseconds for which a file has to have stood unchanged; 0: it is known to be whole. */
  readonly standing?: number;
}

/**
 * Opens `source`, a file name or `-`: returns its content, and whether it was gzip.
 * @throws UsageError at once when there is no such file
 * @throws CommandError source_changing, also while it is read; when the file cannot be read, or unzipped
 *   to its end
 */
export async function openSource(source: string, options: SourceOptions = {}) {
  const before = source === STREAM_NAME ? null : await awaitStanding(source, options);
  const stream = before ? createReadStream(source, { highWaterMark: READ_SIZE }) : process.stdin;
  const bytes = readBytes(stream, source, before?.size ?? null, options);
  const start = await readStart(bytes, 2);
  const isGzip = start[0] === 0x1f && start[1] === 0x8b;
  const whole = joinStart(start, bytes);
  const chunks = isGzip ? gunzip(whole, source) : whole;
  return { chunks: before?.isFile() ? expectUnchanged(chunks, source, before) : chunks, isGzip };
}

/** Waits until a file has stood unchanged. By two looks: a file server's clock may be another. */
async function awaitStanding(
  file: string,
  { standing = DEFAULT_STANDING, signal }: SourceOptions,
): Promise<Stats> {
  let last = await inspectFile(file);
  if (!last.isFile() || Date.now() - last.mtimeMs >= standing) return last;
  for (let waits = 0; waits < MAX_WAITS; waits++) {
    await SYSTEM_CLOCK.sleep(standing, signal);
    const next = await inspectFile(file);
    if (isSameFile(last, next)) return next;
    last = next;
  }
  throw changing(file);
}

async function* expectUnchanged(
  content: AsyncIterable<Uint8Array>,
  file: string,
  before: Stats,
): AsyncGenerator<Uint8Array> {
  yield* content;
  if (!isSameFile(before, await inspectFile(file))) throw changing(file);
}

function isSameFile(a: Stats, b: Stats): boolean {
  return a.size === b.size && a.mtimeMs === b.mtimeMs && a.ino === b.ino;
}

function changing(file: string): CommandError {
  const message = `source "${file}" is still being written: run this again once it is whole`;
  return new CommandError(message, 'source_changing');
}

async function inspectFile(file: string): Promise<Stats> {
  const code = 'source_unreadable';
  const found = await stat(file).catch((cause: NodeJS.ErrnoException) => {
    throw new UsageError(`cannot read source "${file}": ${reasonOf(cause)}`, code, { cause });
  });
  if (found.isDirectory()) {
    throw new UsageError(`cannot read source "${file}": it is a folder`, code);
  }
  return found;
}

async function* readBytes(
  stream: Readable,
  source: string,
  total: number | null,
  { signal, progress }: SourceOptions,
): AsyncGenerator<Uint8Array> {
  // Ends even a wait for input that may never come.
  if (signal) addAbortSignal(signal, stream);
  let done = 0;
  try {
    for await (const chunk of stream) {
      yield chunk;
      done += chunk.length;
      progress?.update(done, total);
    }
  } catch (error) {
    signal?.throwIfAborted();
    throw describeFailure(error, source);
  }
}

async function* gunzip(zipped: AsyncIterable<Uint8Array>, source: string) {
  const unzipped = createGunzip({ chunkSize: READ_SIZE });
  // Errors of any part end the last one, and are thrown from its iteration.
  pipeline(Readable.from(zipped), unzipped, () => {});
  try {
    yield* unzipped as AsyncIterable<Uint8Array>;
  } catch (error) {
    throw describeFailure(error, source);
  }
}

function describeFailure(error: unknown, source: string): unknown {
  const { code = '', message } = error as NodeJS.ErrnoException;
  if (code.startsWith('Z_')) {
    const text = `source "${source}" is damaged or cut off: its gzip data cannot be unzipped`;
    return new CommandError(text, 'source_damaged', { cause: error });
  }
  if (!code.startsWith('E')) return error;
  const text = `cannot read source "${source}": ${message}`;
  return new CommandError(text, 'source_unreadable', { cause: error });
}

/** Reads the first bytes of a stream, at least `minimum` unless it ends before; what follows is left in it. */
export async function readStart(
  chunks: AsyncGenerator<Uint8Array>,
  minimum: number,
): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for (let length = 0; length < minimum; length += parts.at(-1)?.length ?? 0) {
    const next = await chunks.next();
    if (next.done) break;
    parts.push(next.value);
  }
  return Buffer.concat(parts);
}

/** Makes one stream of `start` and what follows it. */
export async function* joinStart(
  start: Uint8Array,
  rest: AsyncGenerator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  if (start.length > 0) yield start;
  yield* rest;
}
