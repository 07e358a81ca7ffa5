/**
 * The store of all examples, as it is answered in English: it has everything that a store can have. It is the
 * store of `docs/examples/full-store.json`; a test publishes that file, and asks for the store.
 */
import type { Store } from '../../src/model/store.ts';
import store from './example-store.json' with { type: 'json' };

export const EXAMPLE_STORE = store as Store;
