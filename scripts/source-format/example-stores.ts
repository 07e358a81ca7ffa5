/**
 * The most and the least that a store can be, as an export has it: files that can be published as they
 * are. A test checks both.
 */
import full from '../../docs/examples/full-store.json' with { type: 'json' };
import minimal from '../../docs/examples/minimal-store.json' with { type: 'json' };
import type { SourceStore } from '../compile/source-store.ts';

export const FULL_STORE = full[0] as SourceStore;
export const MINIMAL_STORE = minimal[0] as SourceStore;
