/** The garbage collector, for tests of what is not kept. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Frees what nothing refers to. */
export async function collectGarbage(): Promise<void> {
  setFlagsFromString('--expose-gc');
  // What a weak reference has shown lives until the present job is done.
  await new Promise(setImmediate);
  (runInNewContext('gc') as () => void)();
}
