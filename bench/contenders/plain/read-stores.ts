/** Reads the export that the snapshot was compiled from, one store a line. */
import type { SourceStore } from '../../../scripts/compile/source-store.ts';

/** Yields the stores. @param disk a disk service whose folder holds `live.ndjson` */
export async function* readStores(disk: Fetcher): AsyncGenerator<SourceStore> {
  const file = await disk.fetch('http://disk/live.ndjson');
  if (!file.body) throw new Error('live.ndjson is missing');
  let rest = '';
  for await (const text of file.body.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) yield JSON.parse(line);
  }
}
