/** The fixture stores as their JSON has them, not as the schema returns them. */
import text from '../../../fixtures/stores.ndjson?raw';
import type { SourceStore } from '../../../scripts/compile/source-store.ts';

export const FIXTURE_STORES: readonly SourceStore[] = text
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => JSON.parse(line));
