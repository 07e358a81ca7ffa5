/**
 * What commands print: text or JSON on standard output, remarks and errors on standard error. Also how tables,
 * amounts, words to be pasted and foreign text are written in them.
 */
import { once } from 'node:events';
import { styleText } from 'node:util';
import { withoutHashes } from '../../src/auth/token.ts';
import { EXIT_FAILED } from './command-error.ts';

/** Prints text that people read, ended by a newline. */
export async function printText(text: string): Promise<void> {
  if (text !== '') await write(`${text}\n`);
}

/**
 * Prints a value as JSON. What is iterated asynchronously is written as an array, one value after
 * the other: all of them might not fit into memory. All else is one text, lists in it included.
 */
export async function printJson(value: unknown): Promise<void> {
  const lists: AsyncIterable<unknown>[] = [];
  const marker = crypto.randomUUID();
  const withMarkers = (_: string, each: unknown) => {
    if (!isAsyncIterable(each)) return each;
    lists.push(each);
    return marker;
  };
  const [start, ...others] = JSON.stringify(value, withMarkers, 2).split(`"${marker}"`);
  await write(start ?? '');
  for (const [index, rest] of others.entries()) {
    await write('[');
    let before = '\n';
    for await (const each of lists[index] ?? []) {
      await write(`${before}${JSON.stringify(each)}`);
      before = ',\n';
    }
    await write(`\n]${rest}`);
  }
  await write('\n');
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}

/** Prints a remark to standard error. */
export function printRemark(text: string): void {
  process.stderr.write(`${plainText(text)}\n`);
}

/** Prints an error to standard error, which a terminal shows as such. */
export function printErrorRemark(text: string): void {
  process.stderr.write(`${styleText('red', 'error:', { stream: process.stderr })} `);
  printRemark(text);
}

export interface Secret {
  readonly text: string;
  /** What to say when it is not read, and the command ends with 1. */
  readonly whenUnread: string;
}

/** What is said when the result is not read; null: nothing, it can be had again. */
let unreadRemark: string | null = null;

/**
 * Prepares for a secret that is printed next. Has the host of a job show stars in its place.
 * @param json whether standard output is for a machine
 */
export function expectSecret({ text, whenUnread }: Secret, json: boolean): void {
  unreadRemark = whenUnread;
  if (process.env.GITHUB_ACTIONS !== 'true') return;
  const command = `::add-mask::${text}\n`;
  (json ? process.stderr : process.stdout).write(command);
}

/**
 * Ends the process when the reader of its output has gone (`… | head`): quietly, with the exit code
 * that is set by then, unless it held a secret. Remarks that are not read end
 * nothing.
 */
export function endWithReader(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    if (unreadRemark === null) process.exit();
    process.stderr.write(`error: ${unreadRemark}\n`, () => process.exit(EXIT_FAILED));
  });
  process.stderr.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}

/**
 * Returns foreign text as a terminal may show it: control characters could repaint what it shows, those that turn the
 * direction of text show it in another order, and those that are not seen hide why a value is refused.
 */
export function visible(text: string): string {
  return text.replaceAll(UNSHOWN, escaped);
}

/**
 * What scripts and emoji are written with is left: variation selectors, and joiners but behind ASCII, which
 * joins nothing.
 */
const UNSHOWN =
  /[\p{Cc}\u2028\u2029[\p{Default_Ignorable_Code_Point}--[\u200c\u200d\p{Variation_Selector}]]]|(?<=\p{ASCII})[\u200c\u200d]/gv;

/** Escapes a character as JSON does, by the halves of a pair. */
function escaped(character: string): string {
  return character.replace(/[\s\S]/g, (half) => {
    return `\\u${half.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}

/**
 * What hosts of jobs take for a command in the output: GitHub a line that begins with `::`, and `##[` anywhere,
 * Azure `##vso[`, TeamCity `##teamcity[`. Text of an export must not be one.
 */
const JOB_COMMAND = /(?<=^[^\S\n]*):(?=:)|#(?=\w*\[)/gm;

/**
 * Returns text in which nothing is a command, and nothing a control character but line ends. Errors of storage name
 * keys: of the hash of a token people see its public id alone.
 */
function plainText(text: string): string {
  const shown = withoutHashes(text).replaceAll(UNSHOWN, (each) => {
    return each === '\n' ? each : escaped(each);
  });
  return shown.replaceAll(JOB_COMMAND, escaped);
}

async function write(text: string): Promise<void> {
  if (!process.stdout.write(plainText(text))) await once(process.stdout, 'drain');
}

/**
 * Returns one line for each of `rows`, of which every one has a cell for each column of the first. Columns are as
 * wide as their widest cell, two spaces apart.
 */
export function formatTable(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]?.map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  const lines = rows.map((row) => row.map((cell, column) => cell.padEnd(widths?.[column] ?? 0)));
  return lines.map((cells) => cells.join('  ').trimEnd()).join('\n');
}

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

/** Formats a number: `1,234`. */
export function formatCount(count: number): string {
  return count.toLocaleString('en');
}

/** Formats a number with what it counts: `1 store`, `1,200 stores`. */
export function plural(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** Formats bytes by powers of 1,000, with two digits where they say something: `830 B`, `1.2 kB`, `34 MB`. */
export function formatBytes(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB'];
  let unit = 0;
  let amount = bytes;
  while (amount >= 999.5 && unit < units.length - 1) {
    amount /= 1000;
    unit++;
  }
  return `${unit > 0 && amount < 9.95 ? amount.toFixed(1) : Math.round(amount)} ${units[unit]}`;
}
