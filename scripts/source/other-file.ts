/** Tells what a file is that is neither NDJSON nor a JSON array, and what to do about it. */
import { brotliDecompressSync, constants } from 'node:zlib';
import { type Fault, recordFault } from './fault.ts';

/** What reads a source, for commands that write one. */
export const READ = 'npm run snapshot -- validate --source -';

/** Commands that unpack a file, by the extension of its kind. */
const UNPACKED_BY: Readonly<Record<string, string>> = {
  zst: 'zstd -dc FILE',
  xz: 'xz -dc FILE',
  lzma: 'xz -dc FILE',
  bz2: 'bzip2 -dc FILE',
  lz: 'lzip -dc FILE',
  lz4: 'lz4 -dc FILE',
  br: 'brotli -dc FILE',
  Z: 'gzip -dc FILE',
  zlib: 'pigz -dc FILE',
  // What is zipped once has been unzipped already.
  gz: 'gunzip -c FILE | gunzip -c',
  'tar.gz': 'tar -xOf FILE',
  tar: 'tar -xOf FILE',
  zip: 'unzip -p FILE',
  '7z': '7z x -so FILE',
  rar: 'unrar p -inul FILE',
  pgp: 'gpg -d FILE',
  base64: 'base64 -d FILE | gunzip -c',
};

const CONVERT = 'have a converter write each row as one store a line (docs/source-format.md)';

/** What other kinds are called, and what is to be done about them. */
const ADVICE: Readonly<Record<string, string>> = {
  xlsx: `a workbook of Excel: ${CONVERT}`,
  cfb: `a document of Office, such as old Excel writes: ${CONVERT}`,
  pgdump: `a dump of PostgreSQL: ${CONVERT}`,
  sql: `a dump of a database (SQL): ${CONVERT}`,
  csv: `a table (CSV): ${CONVERT}`,
  yaml: `YAML: convert it to JSON (yq -o json FILE | ${READ})`,
  seq: `a sequence of JSON texts (RFC 7464): take its separators out (tr -d '\\036' < FILE | ${READ})`,
  lfs: 'a pointer of Git LFS in the place of the file: git lfs pull fetches the file',
  xml: 'a web page or XML: look at the step that fetches the export',
  message: 'a message of the program that fetches the export: look at that step',
  js: 'a program in JavaScript: take the JSON out of it',
  text: 'another text: look at the step that writes the export',
  binary: 'a file that is no text: look at the step that writes the export',
};

/** Kinds that `file-type` does not know, by the first bytes, in hexadecimal digits. */
const OTHER_BYTES: readonly (readonly [start: RegExp, kind: string])[] = [
  [/^78(?:01|5e|9c|da)/, 'zlib'],
  [/^5d0000/, 'lzma'],
  [/^5047444d50/, 'pgdump'],
];

/** A cell of a table with what separates it from the next. */
const CELL = /(?:"[^"\n]*"|[^\s{["][^\n,;\t|]*)[,;\t|]/.source;

/** The same of texts, by their first characters. */
const OTHER_TEXTS: readonly (readonly [start: RegExp, kind: string])[] = [
  [/^</, 'xml'],
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the separator of such sequences.
  [/^\x1e/, 'seq'],
  [/^version https:\/\/git-lfs/, 'lfs'],
  [/^H4sI/, 'base64'],
  [/^(?:curl|wget|aws|gsutil|fatal|error)\b.*:|^HTTP\/\d/i, 'message'],
  [/^(?:--(?!-)|\/\*|(?:BEGIN|COPY|CREATE|DROP|INSERT|PRAGMA|SET|START|USE)\s)/i, 'sql'],
  [/^(?:(?:var|let|const|export|module|window|import)\b|[\w.]+\(\s*[[{])/, 'js'],
  [/^(?:---|%YAML|- |[\w-]+:(?:\s|$))/, 'yaml'],
  [new RegExp(`^${CELL}[^\\n]*\\n\\s*${CELL}`), 'csv'],
  // With which no line begins as a store does.
  [/^(?![\s\S]*\n\s*[[{])/, 'text'],
];

/** UTF-16 and UTF-32, by a byte order mark, or by the zeros beside a first character that JSON begins with. */
const UTF32 = /^(?:fffe0000|0000feff|(?:5b|7b)000000|000000(?:5b|7b))/;
const UTF16 = /^(?:fffe|feff|(?:09|0a|0d|20|5b|7b)00|00(?:09|0a|0d|20|5b|7b))/;

/**
 * Returns the fault of a file that is no JSON, by its first bytes; null when it looks like JSON.
 * @param text the same as text
 */
export async function otherFile(start: Uint8Array, text: string): Promise<Fault | null> {
  const hex = Buffer.from(start.subarray(0, 16)).toString('hex');
  const encoding = UTF32.test(hex) ? 'UTF-32' : UTF16.test(hex) ? 'UTF-16' : null;
  if (encoding !== null) {
    const advice = `convert it (iconv -f ${encoding} -t UTF-8 FILE | ${READ})`;
    return recordFault('utf16', 1, `expected UTF-8 text: ${advice}`);
  }
  if (isJsonBegun(text) && !isBinary(text)) return null;
  // Loaded for files that need it.
  const { fileTypeFromBuffer } = await import('file-type');
  const { ext, mime } = (await fileTypeFromBuffer(start).catch(() => undefined)) ?? {};
  const kind = ext ?? ownKind(start, hex, text);
  if (kind === undefined) return null;
  const command = UNPACKED_BY[kind];
  const unpack = command && `a ${kind} file: unpack it (${command} | ${READ})`;
  const advice = unpack ?? ADVICE[kind] ?? `a file of the type ${mime}: ${CONVERT}`;
  const line = text.slice(0, text.search(/\S/)).split('\n').length;
  return recordFault('other_file', line, `expected NDJSON or a JSON array, got ${advice}`);
}

function ownKind(start: Uint8Array, hex: string, text: string): string | undefined {
  const byBytes = OTHER_BYTES.find(([form]) => form.test(hex));
  if (byBytes) return byBytes[1];
  if (isBinary(text)) return isBrotli(start) ? 'br' : 'binary';
  return OTHER_TEXTS.find(([form]) => form.test(text.trimStart()))?.[1];
}

/** Whether a text begins with an object, a list, or a line that is another value of JSON. */
function isJsonBegun(text: string): boolean {
  const [line = ''] = text.trimStart().split('\n', 1);
  if (/^[[{]|^$/.test(line)) return true;
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}

/** Control characters that texts do not have. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const NO_TEXT = /[\0-\x08\x0e-\x1a\x1c\x1d\x1f]/g;

/** Whether a text has a NUL, or more control characters than slips put there. */
export function isBinary(text: string): boolean {
  const { length } = text.match(NO_TEXT) ?? '';
  return text.includes('\0') || length > Math.max(3, text.length / 50);
}

/** Brotli has no mark at its beginning. */
function isBrotli(start: Uint8Array): boolean {
  try {
    const finishFlush = constants.BROTLI_OPERATION_FLUSH;
    const content = brotliDecompressSync(start, { finishFlush, maxOutputLength: 2 ** 26 });
    return /^\s*[[{]/.test(content.toString('latin1', 0, 1_000));
  } catch {
    return false;
  }
}
