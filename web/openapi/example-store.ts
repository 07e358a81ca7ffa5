/**
 * The store of all examples, as it is answered in English: it has everything that a store can have. It is
 * that of `docs/examples/full-store.json`; a test publishes that one, and asks for it.
 */
import type { Store } from '../../src/model/store.ts';
import store from './example-store.json' with { type: 'json' };

export const EXAMPLE_STORE = store as Store;
