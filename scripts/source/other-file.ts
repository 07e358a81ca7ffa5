/** Tells what a file is that is neither NDJSON nor a JSON array of stores, and what to do about it. */
import { brotliDecompressSync, constants } from 'node:zlib';
import { shellWord } from '../cli/output.ts';
import { type Fault, recordFault } from './fault.ts';
import { MAX_RECORD_BYTES } from './open-source.ts';
import { isWithoutStores, pathToStores } from './stores-within.ts';
import { isBinary, isJsonArray, scanValue, tryParse } from './values-in.ts';

/**
 * Composes the command that makes a source of a file, to be pasted: `(jq -c .stores[] FILE | npm run …)`.
 * @param command what the name of the file, or `<` and the name, goes behind
 * @param isGzip whether the file has to be unzipped first; tar does so itself
 */
export function advise(command: string, isGzip: boolean): string {
  const isUnzipped = isGzip && !command.startsWith('tar ');
  const reading = isUnzipped ? `gunzip -c FILE | ${command.replace(/ <$/, '')}` : `${command} FILE`;
  return `(${reading} | npm run snapshot -- validate --source -)`;
}

/** Commands that write what is in a file, by the extension of its kind; gzip within them is read. */
const UNPACKED_BY: Readonly<Record<string, string>> = {
  zst: 'zstd -dc',
  xz: 'xz -dc',
  lzma: 'xz -dc',
  bz2: 'bzip2 -dc',
  lz: 'lzip -dc',
  lz4: 'lz4 -dc',
  br: 'brotli -dc',
  Z: 'gzip -dc',
  zlib: 'pigz -dc',
  // What is zipped once has been unzipped already.
  gz: 'gunzip -c',
  'tar.gz': 'tar -xOf',
  tar: 'tar -xOf',
  zip: 'unzip -p',
  '7z': '7z x -so',
  rar: 'unrar p -inul',
  pgp: 'gpg -d',
  bson: 'bsondump --quiet',
};

/** What other kinds are called, where the name of their type says little. */
const NAMES: Readonly<Record<string, string>> = {
  xlsx: 'a workbook of Excel',
  cfb: 'a document of Office, such as old Excel writes',
  sqlite: 'a database of SQLite',
  parquet: 'a table (Parquet)',
  pgdump: 'a dump of PostgreSQL',
};

/** Kinds that `file-type` does not know, by the first bytes, in hexadecimal digits. */
const OTHER_BYTES: readonly (readonly [start: RegExp, kind: string])[] = [
  [/^78(?:01|5e|9c|da)/, 'zlib'],
  [/^5d0000/, 'lzma'],
  // The first field of a document of MongoDB is its id.
  [/^.{8}..5f696400/, 'bson'],
  [/^5047444d50/, 'pgdump'],
];

const CONVERT = 'have a converter write each row as one store a line (docs/source-format.md)';

/** A cell of a table with what separates it from the next. */
const CELL = /(?:"[^"\n]*"|[^\s{["][^\n,;\t|]*)[,;\t|]/.source;

/** What texts are and what to do about them, with the command that does it, by their first characters. */
const OTHER_TEXTS: readonly (readonly [start: RegExp, advice: string, command?: string])[] = [
  [/^<{7} /, 'a file that Git could not merge: look for <<<<<<< in it'],
  [/^</, 'a web page or XML: look at the step that fetches the export'],
  [
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the separator of such sequences.
    /^\x1e/,
    'a sequence of JSON texts (RFC 7464): take its separators out',
    "tr -d '\\036' <",
  ],
  [
    /^version https:\/\/git-lfs/,
    'a pointer of Git LFS in the place of the file: git lfs pull fetches the file',
  ],
  [/^H4sI/, 'gzip in Base64: unpack it', 'base64 -d'],
  [
    /^(?:curl|wget|aws|fatal|error|mysqldump|pg_dump)\b.*:|^HTTP\/\d|^[\w./() -]+: .*\s*$/i,
    'a message of the program that writes or fetches the export: look at that step',
  ],
  [
    /^(?:--(?!-)|\/\*!|(?:BEGIN|COPY|CREATE|DROP|INSERT|PRAGMA|SET|START|USE)\s)/,
    `a dump of a database (SQL): ${CONVERT}`,
  ],
  [
    /^(?:(?:var|let|const|export|module|window)\b|[\w.]+\(\s*[[{])/,
    'a program in JavaScript: take the JSON out of it',
  ],
  [
    /^(?:---(?!-)|%YAML|- |[\w-]+:(?:\s*\n|.*\n\s*[\w-]+:))/,
    'YAML: convert it to JSON',
    'yq -o json',
  ],
  [new RegExp(`^${CELL}[^\\n]*\\n\\s*${CELL}`), `a table (CSV): ${CONVERT}`],
];

/** Lines of objects that end as on old computers of Apple. */
const CR_ENDS = /^[^\n]*\}\r+\{/;

/** Returns the line that the text begins on, behind blank ones. */
function firstLine(text: string): number {
  return text.slice(0, text.search(/\S/)).split('\n').length;
}

/**
 * Returns the fault of a file that is no JSON, by its first bytes; null when it looks like JSON.
 * @param text `start` as text
 * @param isGzip whether the file holds it as gzip
 */
export async function otherFile(
  start: Buffer,
  text: string,
  isGzip: boolean,
): Promise<Fault | null> {
  const encoding = wideEncoding(start);
  if (encoding !== null) {
    const command = advise(`iconv -f ${encoding} -t UTF-8`, isGzip);
    return recordFault('utf16', 1, `expected UTF-8 text: convert it ${command}`);
  }
  if (CR_ENDS.test(text)) {
    const command = advise("tr '\\r' '\\n' <", isGzip);
    const message = `expected line feeds, got carriage returns alone: convert them ${command}`;
    return recordFault('other_file', 1, message);
  }
  const advice = isJsonBegun(text) && !isBinary(text) ? null : await adviceOn(start, text, isGzip);
  if (advice === null) return null;
  const message = `expected NDJSON or a JSON array, got ${advice}`;
  return recordFault('other_file', firstLine(text), message);
}

/** Returns the name of UTF-16 or UTF-32, for text with a byte order mark, or that begins as JSON does; else null. */
function wideEncoding(start: Uint8Array): string | null {
  for (const order of ['LE', 'BE']) {
    const decoder = new TextDecoder(`utf-16${order}`, { ignoreBOM: true });
    const text = decoder.decode(start.subarray(0, 64));
    if (!/^[\0\s]*[\ufeff[{]/.test(text)) continue;
    // Of a character of UTF-32 one half is zero. A mark says the order, which is left out where it is asked for.
    return `UTF-${text.includes('\0') ? 32 : 16}${text.includes('\ufeff') ? '' : order}`;
  }
  return null;
}

/** Says what a file is and what to do about it; null where lines of it may be stores. */
async function adviceOn(start: Buffer, text: string, isGzip: boolean): Promise<string | null> {
  const isText = !isBinary(text);
  const known = isText && OTHER_TEXTS.find(([form]) => form.test(text.trimStart()));
  if (known) {
    const [, advice, command] = known;
    return command ? `${advice} ${advise(command, isGzip)}` : advice;
  }
  // Loaded for files that need it.
  const { fileTypeFromBuffer } = await import('file-type');
  const { ext, mime } = (await fileTypeFromBuffer(start).catch(() => undefined)) ?? {};
  const hex = start.toString('hex', 0, 16);
  const own = OTHER_BYTES.find(([form]) => form.test(hex))?.[1];
  const kind = ext ?? own ?? (isBrotli(start) ? 'br' : '');
  const command = UNPACKED_BY[kind];
  if (command) return `a packed file (${kind}): unpack it ${advise(command, isGzip)}`;
  if (kind !== '') return `${NAMES[kind] ?? `a file of the type ${mime}`}: ${CONVERT}`;
  if (isText && /^\s*[[{]/m.test(text)) return null;
  return `${isText ? 'another text' : 'a file that is no text'}: look at the step that writes the export`;
}

/** Returns whether a text begins with an object, a list, or a line that is another value of JSON. */
function isJsonBegun(text: string): boolean {
  const [line = ''] = text.trimStart().split('\n', 1);
  return /^(?:[[{](?!\\rtf)|$)/.test(line) || tryParse(line) !== undefined;
}

/** Returns whether a file is Brotli, which has no mark at its beginning: by unpacking it. */
function isBrotli(start: Uint8Array): boolean {
  try {
    const finishFlush = constants.BROTLI_OPERATION_FLUSH;
    const content = brotliDecompressSync(start, { finishFlush, maxOutputLength: 2 ** 26 });
    return /^\s*[[{]/.test(content.toString('latin1', 0, 1_000));
  } catch {
    return false;
  }
}

/** The second line begins with a key. */
const OVER_LINES = /^\s*\{(?:.*[,[{])?[^\S\n]*\n\s*"/;

/**
 * Returns the fault of a source that is one JSON value around its stores, or whose stores go over several lines.
 * @param start its first value, or as much of that as a store may have and more; of a list the beginning
 */
export function faultOfWhole(start: Buffer, isGzip: boolean): Fault | null {
  const text = start.toString();
  const { end, closing } = scanValue(text, text.search(/[[{]/));
  const value = tryParse(text.slice(0, end) + closing);
  const isWhole = value !== undefined && closing === '';
  const line = firstLine(text);
  const isList = isJsonArray(text);
  const isLarge = start.length > MAX_RECORD_BYTES;
  const isAlone = isList || (isWhole ? !/\S/.test(text.slice(end)) : isLarge);
  const path = isAlone ? pathToStores(value) : null;
  if (path !== null) {
    const command = advise(`jq -c ${shellWord(path)}`, isGzip);
    return recordFault('wrapped_stores', line, `expected the stores alone ${command}`);
  }
  if (isAlone && isWithoutStores(value)) {
    const message =
      'expected stores, got an answer without any: look at the step that fetches them';
    return recordFault('no_stores', line, message);
  }
  const whole = isWhole ? text.slice(0, end).trim() : '';
  if (isList || (!whole.includes('\n') && !OVER_LINES.test(text))) return null;
  const command = advise('jq -c .', isGzip);
  return recordFault('store_over_lines', line, `expected each store on one line ${command}`);
}
