/** The context of a command in tests: nothing is printed, and no signal interrupts it. */
import { SILENT_PROGRESS } from '../../scripts/cli/progress.ts';
import type { CommandContext } from '../../scripts/cli/run-command.ts';

/** @param more what a test has in place of a member; without `remark` the result has the remarks */
export function commandContext(more: Partial<CommandContext> = {}) {
  const remarks: string[] = [];
  const context: CommandContext = {
    json: false,
    progress: SILENT_PROGRESS,
    signal: new AbortController().signal,
    remark: (text) => void remarks.push(text),
    ...more,
  };
  return { ...context, remarks };
}
