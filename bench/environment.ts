/** Says on what a run was made. */
import { execFileSync } from 'node:child_process';
import { cpus, release, type } from 'node:os';
import { PROJECT_FOLDER } from '../scripts/cli/platform.ts';

/** What decides what a run measures, as Git's path patterns: all but what a run and people write. */
const MEASURED = 'src bench scripts fixtures wrangler.toml package-lock.json :(exclude)bench/*.md';

/** Returns what Git prints. @throws Error with what Git says */
export const git = (...args: string[]): string =>
  execFileSync('git', args, { cwd: PROJECT_FOLDER, encoding: 'utf8', stdio: 'pipe' }).trim();

/** Describes in words: date, commit (`+` if files were changed since), machine. */
export function describeMachine(): string {
  const changed = git('status', '--porcelain', '--', ...MEASURED.split(' ')) === '' ? '' : '+';
  const commit = git('rev-parse', '--short', 'HEAD') + changed;
  const machine = `${cpus()[0]?.model}, ${cpus().length} cores, ${type()} ${release()}`;
  return `${new Date().toISOString().slice(0, 10)}, commit ${commit}: ${machine}, Node ${process.version}`;
}
