/** Asks for what `prepare-once.ts` prepares for all test files. */
import { inject } from 'vitest';
import type { Prepared } from './prepare-once.ts';

/** Waits until it is ready. It is not to be changed: other tests use it too. */
export async function askPrepared<Name extends keyof Prepared>(
  name: Name,
): Promise<Prepared[Name]> {
  const response = await fetch(`${inject('preparedAt')}/${name}`);
  if (!response.ok) throw new Error(await response.text());
  return (await response.json()) as Prepared[Name];
}
