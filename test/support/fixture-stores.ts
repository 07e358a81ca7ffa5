/** The committed fixture stores, as their JSON has them, not as the schema returns them. */
import text from '../../fixtures/stores.ndjson?raw';
import type { SourceStore } from '../../scripts/compile/source-store.ts';

export const FIXTURE_STORES: readonly SourceStore[] = text
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line));
