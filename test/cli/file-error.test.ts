/** Which errors are none of the file system, and are not told as such. */
import { expect, it } from 'vitest';
import { cannotWrite } from '../../scripts/cli/command-error.ts';

it.each([
  ['a program that cannot be started', { code: 'ENOENT', syscall: 'spawn npm', path: 'npm' }],
  ['a connection that is refused', { code: 'ECONNREFUSED', syscall: 'connect' }],
])('%s is no file that cannot be written', async (_what, facts) => {
  const error = Object.assign(new Error('failed'), facts);
  await expect(Promise.reject(error).catch(cannotWrite('out'))).rejects.toBe(error);
});
