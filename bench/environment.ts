/** Says on what a run was made. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { cpus, release, totalmem, type } from 'node:os';
import { PROJECT_FOLDER } from '../scripts/cli/platform.ts';
import type { Environment } from './report/results.ts';

/** What decides what a run measures, as Git's path patterns: all but the records and what people wrote. */
const MEASURED_PATHS = [
  ...['src', 'bench', 'scripts', 'fixtures', 'wrangler.toml', 'package-lock.json'],
  ...[':(exclude)bench/*.md', ':(exclude)bench/results.*'],
];

type Plan = Pick<
  Environment,
  'connections' | 'rounds' | 'secondsPerRound' | 'warmUpSeconds' | 'latency'
>;

export function describeEnvironment(plan: Plan): Environment {
  return {
    date: new Date().toISOString().slice(0, 10),
    commit: commitName(),
    machine: cpus()[0]?.model ?? 'unknown',
    cores: cpus().length,
    memory: totalmem(),
    system: `${type()} ${release()}`,
    node: process.version,
    workerd: workerdVersion(),
    ...plan,
  };
}

/** The commit that was measured, `+` if files were changed since. */
function commitName(): string {
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: PROJECT_FOLDER, encoding: 'utf8' }).trim();
  try {
    const changed = git('status', '--porcelain', '--', ...MEASURED_PATHS) !== '';
    return git('rev-parse', '--short', 'HEAD') + (changed ? '+' : '');
  } catch {
    return 'unknown';
  }
}

function workerdVersion(): string {
  const require = createRequire(import.meta.url);
  const manifest = createRequire(require.resolve('wrangler')).resolve('workerd/package.json');
  return (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version;
}
