/** Cuts NDJSON into its lines. */
import { isBlank, type RawRecord, RecordBuffer } from './raw-record.ts';

const NEWLINE = 0x0a;

/** The lines of `chunks` that are not blank; `firstLine` is the number of the first one. */
export async function* splitLines(
  chunks: AsyncIterable<Uint8Array>,
  firstLine: number,
): AsyncGenerator<RawRecord> {
  const buffer = new RecordBuffer();
  let line = firstLine;
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = findNewline(chunk, 0); end !== -1; end = findNewline(chunk, start)) {
      const bytes = buffer.take(chunk.subarray(start, end));
      if (!bytes?.every(isBlank)) yield { line, element: null, bytes };
      line++;
      start = end + 1;
    }
    buffer.add(chunk.subarray(start));
  }
  const bytes = buffer.take(new Uint8Array());
  if (!bytes?.every(isBlank)) yield { line, element: null, bytes, isUnended: true };
}

/** Buffer's search runs on whole words, Uint8Array's byte by byte. */
function findNewline(chunk: Uint8Array, from: number): number {
  return Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length).indexOf(NEWLINE, from);
}
