/** The part of a store that says when it is open, as the service answers it. */
import type { Store } from '../../../src/model/store.ts';

export type Temporal = Store['temporal'];
