/**
 * Returns `text` as one word of a command that is shown to be pasted, in quotes where it needs them.
 *
 * For POSIX shells: sh, bash, zsh. PowerShell and cmd have other rules, and get no form of their own. A control
 * character is printed as an escape (`visible`): the command then names something else, and stays one command.
 */
export function shellWord(text: string): string {
  return PLAIN.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

const PLAIN = /^[\w./:@=,+-]+$/;
