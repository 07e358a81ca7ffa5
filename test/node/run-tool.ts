/** Runs a command-line tool of the project in a process of its own. */
import { execFile } from 'node:child_process';
import { resolve } from 'node:path';

export interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface ToolOptions {
  /** Environment variables on top of our own. */
  readonly env?: Readonly<Record<string, string>>;
  /** What the tool reads from standard input. */
  readonly stdin?: string | Uint8Array;
}

/** @param tool name of the script, such as `snapshot` */
export function runTool(
  tool: string,
  args: readonly string[],
  { env, stdin = '' }: ToolOptions = {},
): Promise<Outcome> {
  const program = programOf(tool);
  return new Promise((settle) => {
    const child = execFile(
      process.execPath,
      [program, ...args],
      { env: { ...process.env, ...env }, maxBuffer: 1 << 28 },
      (error, stdout, stderr) => {
        settle({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr });
      },
    );
    // A command may end without having read everything.
    child.stdin?.on('error', () => {}).end(stdin);
  });
}

/** The file that `npm run <tool>` runs. */
export function programOf(tool: string): string {
  const file = tool === 'fixtures' ? 'fixtures/generate.ts' : `scripts/${tool}.ts`;
  return resolve(import.meta.dirname, '../..', file);
}
