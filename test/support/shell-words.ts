import { runProcess } from './run-tool.ts';

/**
 * The words that a shell makes of a command, after its program, which is not run.
 * @param cwd where the command would run if it were more than one
 */
export async function shellWordsOf(command: string, cwd?: string): Promise<string[]> {
  const [program] = command.split(' ');
  const script = `${program}() { printf '%s\\0' "$@"; }\n${command}\n`;
  const { code, stdout, stderr } = await runProcess('/bin/sh', ['-c', script], {
    ...(cwd !== undefined && { cwd }),
  });
  if (code !== 0 || stderr !== '') throw new Error(`${command} ends with ${code}: ${stderr}`);
  return stdout.split('\0').slice(0, -1);
}
