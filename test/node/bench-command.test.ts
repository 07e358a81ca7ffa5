/** How commands of the benchmark end. */
import { InvalidArgumentError } from 'commander';
import { afterEach, expect, it, vi } from 'vitest';
import { benchCommand } from '../../bench/bench-command.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

it.each([
  [2, 'a value that is none', ['--count', 'x']],
  [2, 'an unknown option', ['--nonsense']],
  [2, 'an argument that nobody reads', ['more']],
  [0, 'a question for help', ['--help']],
])('end with %i after %s', (code, _, args) => {
  vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  vi.spyOn(process, 'exit').mockImplementation((given) => {
    throw new Error(`ended with ${given}`);
  });
  const refuse = () => {
    throw new InvalidArgumentError('Expected a number.');
  };
  const command = benchCommand('bench', 'Measures.').option('--count <n>', 'how many', refuse);
  expect(() => command.parse(args, { from: 'user' })).toThrow(`ended with ${code}`);
});
