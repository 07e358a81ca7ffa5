/** What commands print: text or JSON on standard output, remarks and errors on standard error. */
import { once } from 'node:events';
import { styleText } from 'node:util';

type Style = Parameters<typeof styleText>[0];

/** JSON is written in pieces of about this many characters. */
const PIECE_LENGTH = 65_536;

/** Containers down to this depth are written member by member, so that no text grows too long. */
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
  if (text !== '') await write(`${text}\n`);
}

/** Prints a value as JSON, however large it is. */
export async function printJson(value: unknown): Promise<void> {
  let piece = '';
  for (const token of jsonTokens(value, 0)) {
    piece += token;
    if (piece.length < PIECE_LENGTH) continue;
    await write(piece);
    piece = '';
  }
  await write(`${piece}\n`);
}

/** Prints a remark to standard error. */
export function printRemark(text: string): void {
  process.stderr.write(`${text}\n`);
}

/** Ends the process quietly when the reader of its output has gone (`… | head`). */
export function endWithReader(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit();
    throw error;
  });
}

/** The JSON text of `value` in parts, one line a member where members are split. */
export function* jsonTokens(value: unknown, depth: number): Generator<string> {
  if (depth === SPLIT_DEPTH || typeof value !== 'object' || value === null) {
    yield JSON.stringify(value) ?? 'null';
    return;
  }
  const isArray = Array.isArray(value);
  const members = isArray ? value.entries() : definedMembers(value);
  const indent = `\n${'  '.repeat(depth)}`;
  let separator = `${indent}  `;
  let isEmpty = true;
  yield isArray ? '[' : '{';
  for (const [key, member] of members) {
    yield isArray ? separator : `${separator}${JSON.stringify(key)}: `;
    yield* jsonTokens(member, depth + 1);
    separator = `,${indent}  `;
    isEmpty = false;
  }
  if (!isEmpty) yield indent;
  yield isArray ? ']' : '}';
}

function definedMembers(value: object): [string, unknown][] {
  return Object.entries(value).filter(([, member]) => member !== undefined);
}

async function write(text: string): Promise<void> {
  if (!process.stdout.write(text)) await once(process.stdout, 'drain');
}
