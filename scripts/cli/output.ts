/** What commands print: text or JSON on standard output, remarks and errors on standard error. */
import { once } from 'node:events';
import { styleText } from 'node:util';
import { EXIT_FAILED } from './command-error.ts';

type Style = Parameters<typeof styleText>[0];

/** JSON is written in pieces of about this many characters. */
const PIECE_LENGTH = 65_536;

/** Objects down to this depth are written member by member, so that no text grows too long. */
const SPLIT_DEPTH = 2;

/** Styles text for standard output; plain when that is no terminal or NO_COLOR is set. */
export function style(format: Style, text: string): string {
  return styleText(format, text, { stream: process.stdout });
}

/** Styles text for standard error; plain when that is no terminal or NO_COLOR is set. */
export function styleError(format: Style, text: string): string {
  return styleText(format, text, { stream: process.stderr });
}

/** Prints text that people read, ended by a newline. */
export async function printText(text: string): Promise<void> {
  if (text !== '') await write(`${plainText(text)}\n`);
}

/** Prints a value as JSON, however large it is. */
export async function printJson(value: unknown): Promise<void> {
  let piece = '';
  for await (const token of jsonTokens(value, 0)) {
    piece += token;
    if (piece.length < PIECE_LENGTH) continue;
    await write(plainText(piece));
    piece = '';
  }
  await write(`${plainText(piece)}\n`);
}

/** Prints a remark to standard error. */
export function printRemark(text: string): void {
  process.stderr.write(`${plainText(text)}\n`);
}

/**
 * Has the host of a job show stars in the place of a secret that is printed next; elsewhere nothing.
 * @param json whether standard output is for a machine
 */
export async function maskSecret(secret: string, json: boolean): Promise<void> {
  if (process.env.GITHUB_ACTIONS !== 'true') return;
  const command = `::add-mask::${secret}\n`;
  if (json) process.stderr.write(command);
  else await write(command);
}

/** What is said when the result is not read; null: nothing, it can be had again. */
let unreadRemark: string | null = null;

/** Has `text` told, and the command end with 1, should the reader of its output have gone. */
export function sayIfUnread(text: string | null): void {
  unreadRemark = text;
}

/**
 * Ends the process when the reader of its output has gone (`… | head`): quietly, with the exit code
 * that is set by then, unless `sayIfUnread` has something to say. Remarks that are not read end
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
 * Foreign text as a terminal may show it: control characters could repaint what it shows, and those
 * that turn the direction of text show it in another order.
 */
export function visible(text: string): string {
  return text.replaceAll(UNSHOWN, escaped);
}

const UNSHOWN = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu;

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/**
 * What GitHub Actions takes for a command in the output of a job: a line that begins with `::`, and
 * `##[` anywhere. Text of an export must not be one.
 */
const JOB_COMMAND = /(?<=^[^\S\n]*):(?=:)|#(?=\[)/gm;

function withoutJobCommands(text: string): string {
  return text.replaceAll(JOB_COMMAND, escaped);
}

/** What `style` writes: colours, bold, dim, underlined, and their ends. */
const STYLE = '\u001b\\[(?:[0-4]|2[2-4]|3[0-79]|9[0-7])m';

const UNSHOWN_IN_TEXT = new RegExp(`${STYLE}|${UNSHOWN.source}`, 'gu');

/** Text in which nothing but line ends and styles is a control character, or a command. */
function plainText(text: string): string {
  const shown = text.replaceAll(UNSHOWN_IN_TEXT, (each) =>
    each === '\n' || each.length > 1 ? each : escaped(each),
  );
  return withoutJobCommands(shown);
}

/**
 * The JSON text of `value` in parts: members of the outer objects and elements of their arrays one
 * a line, everything deeper on the line of what holds it. What is iterated asynchronously is written
 * as an array is.
 */
async function* jsonTokens(value: unknown, depth: number): AsyncGenerator<string> {
  const isArray = Array.isArray(value) || isAsyncIterable(value);
  const isSplit = isArray || (typeof value === 'object' && value !== null && depth < SPLIT_DEPTH);
  if (!isSplit) {
    yield JSON.stringify(value);
    return;
  }
  const end = `\n${'  '.repeat(depth)}`;
  let start = `${end}  `;
  yield isArray ? '[' : '{';
  for await (const [key, member] of isArray ? elements(value) : definedMembers(value)) {
    yield isArray ? start : `${start}${JSON.stringify(key)}: `;
    if (isArray) yield JSON.stringify(member);
    else yield* jsonTokens(member, depth + 1);
    start = `,${end}  `;
  }
  const isEmpty = !start.startsWith(',');
  yield `${isEmpty ? '' : end}${isArray ? ']' : '}'}`;
}

async function* elements(
  values: readonly unknown[] | AsyncIterable<unknown>,
): AsyncGenerator<[string, unknown]> {
  for await (const value of values) yield ['', value];
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}

function definedMembers(value: object): [string, unknown][] {
  return Object.entries(value).filter(([, member]) => member !== undefined);
}

async function write(text: string): Promise<void> {
  if (!process.stdout.write(text)) await once(process.stdout, 'drain');
}
