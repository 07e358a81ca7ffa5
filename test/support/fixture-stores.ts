/** The committed fixture stores, as they stand in the file. */
import { readFileSync } from 'node:fs';
import type { SourceStore } from '../../scripts/compile/source-store.ts';

const FILE = new URL('../../fixtures/stores.ndjson', import.meta.url);

export const FIXTURE_STORES: readonly SourceStore[] = readFileSync(FILE, 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line));

/** The slugs of the fixture stores for which something holds. */
export function those(holds: (store: SourceStore) => boolean): string[] {
  return FIXTURE_STORES.filter(holds).map((store) => store.slug);
}
