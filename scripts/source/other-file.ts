/**
 * Tells what a file is that is neither NDJSON nor a JSON array of stores, and what to do about it. Finds the stores in
 * one JSON value around them: `{"data":{"stores":[…]}}`, or an object by id.
 */
import { brotliDecompressSync, constants } from 'node:zlib';
import { shellWord, visible } from '../cli/output.ts';
import { sourceStoreSchema } from '../compile/source-store.ts';
import { type Fault, recordFault, shorten } from './fault.ts';
import { isBinary, isJsonArray, isObject, scanValue, tryParse } from './values-in.ts';

/**
 * Composes the command that makes a source of a file, to be pasted: `(jq -c .stores[] FILE | npm run …)`.
 * @param command what the name of the file, or `<` and the name, goes behind
 */
function advise(command: string): string {
  return `(${command} FILE | npm run snapshot -- validate --source -)`;
}

const convertBy = (command: string) => `convert it ${advise(command)}`;
const CONVERT = 'have a converter write each row as one store a line (docs/source-format.md)';
const LOOK = 'look at the step that writes the export';

/** Commands that write what is in a file, by the extension of its type; gzip within them is read. */
const UNPACKED_BY: Readonly<Record<string, string>> = {
  zst: 'zstd -dc',
  xz: 'xz -dc',
  bz2: 'bzip2 -dc',
  lz4: 'lz4 -dc',
  // What is zipped once has been unzipped already.
  gz: 'gunzip -c',
  tar: 'tar -xOf',
  zip: 'unzip -p',
  '7z': '7z x -so',
};

/** A cell of a table with what separates it from the next. */
const CELL = /(?:"[^"\n]*"|[^\s{["][^\n,;\t|]*)[,;\t|]/.source;

/** What a file is, and what to do about it. */
type Advice = readonly [form: string, advice: string];

/** What `file-type` does not know, by its first characters; bytes that are no UTF-8 are read as U+FFFD. */
const OTHER_FORMS: readonly (readonly [...Advice, start: RegExp])[] = [
  ['UTF-16', convertBy('iconv -f UTF-16LE -t UTF-8'), /^(?:\ufffd\ufffd)?[^\0]\0[^\0]\0/],
  ['UTF-16', convertBy('iconv -f UTF-16BE -t UTF-8'), /^(?:\ufffd\ufffd)?\0[^\0]\0[^\0]/],
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a byte of its head.
  ['zlib', convertBy('pigz -dc'), /^x[\x01^\ufffd]/],
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the separator of such sequences.
  ['a sequence of JSON texts (RFC 7464)', convertBy("tr -d '\\036' <"), /^\x1e/],
  ['a pointer of Git LFS', 'git lfs pull fetches the file', /^version https:\/\/git-lfs/],
  ['a web page or XML', LOOK, /^</],
  [
    'a dump of a database',
    CONVERT,
    /^(?:PGDMP|--(?!-)|\/\*!|(?:BEGIN|COPY|CREATE|DROP|INSERT|PRAGMA|SET|START|USE)\s)/,
  ],
  ['YAML', convertBy('yq -o json'), /^(?:---(?!-)|%YAML|- |[\w-]+:\s*\n)/],
  ['a table (CSV)', CONVERT, new RegExp(`^${CELL}[^\\n]*\\n\\s*${CELL}`)],
];

/** How many characters of what is no text are looked at: forms of texts may seem to stand in it. */
const MAX_HEAD = 16;

/** Returns the fault of a file that is no JSON, by its first bytes; null when it looks like JSON. */
export async function otherFile(start: Buffer): Promise<Fault | null> {
  const text = start.toString().trimStart();
  const [line = ''] = text.split('\n', 1);
  const isText = !isBinary(text);
  const isJson = /^(?:[[{]|$)/.test(line) || tryParse(line) !== undefined;
  if (isText && isJson) return null;
  const head = isText ? text : text.slice(0, MAX_HEAD);
  const [form, advice] =
    OTHER_FORMS.find(([, , looks]) => looks.test(head)) ?? (await knownType(start, isText));
  const message = `expected NDJSON or a JSON array, got ${form}: ${advice}`;
  const first = line.trimEnd();
  // Binary is never printed.
  const value = /[\p{Cc}\ufffd]/u.test(first) ? null : shorten(first);
  return recordFault('other_file', 1, message, { value });
}

/** Returns what a file is by its bytes. */
async function knownType(start: Buffer, isText: boolean): Promise<Advice> {
  // Loaded for files that need it.
  const { fileTypeFromBuffer } = await import('file-type');
  const { ext, mime } = (await fileTypeFromBuffer(start).catch(() => undefined)) ?? {};
  if (ext) {
    const command = UNPACKED_BY[ext];
    return [`a file of the type ${mime}`, command ? convertBy(command) : CONVERT];
  }
  if (isBrotli(start)) return ['Brotli', convertBy('brotli -dc')];
  return [isText ? 'another text' : 'a file that is no text', LOOK];
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

/** A line with the beginning of an object, and the next one with a key. */
const OVER_LINES = /^\s*\{(?:.*[,[{])?[^\S\n]*\n\s*"/;

/** Reads the first object or list of a text, whose end may be cut off. */
export function firstValue(text: string) {
  const { end, closing } = scanValue(text, text.search(/[[{]/));
  const isWhole = closing === '';
  const isAlone = isWhole && !/\S/.test(text.slice(end));
  return { value: tryParse(text.slice(0, end) + closing), isWhole, isAlone };
}

/**
 * Returns the fault of a source that is one JSON value around its stores, or whose stores go over several lines.
 * @param value its first one; of a list its beginning
 * @param isAlone whether nothing follows the value
 */
export function faultOfWhole(text: string, value: unknown, isAlone: boolean): Fault | null {
  const path = isAlone ? pathToStores(value) : null;
  if (path !== null) {
    const message = `expected the stores alone ${advise(`jq -c ${shellWord(path)}`)}`;
    return recordFault('wrapped_stores', 1, message);
  }
  if (isAlone && isObject(value) && likenessOf(value) === 0) {
    const message = `expected stores, got an object without any: ${LOOK}, or convert it (docs/source-format.md)`;
    return recordFault('no_stores', 1, message);
  }
  if (isJsonArray(text) || !OVER_LINES.test(text)) return null;
  return recordFault('store_over_lines', 1, `expected each store on one line ${advise('jq -c .')}`);
}

/** Keys of a store, here and in the exports of others: the more of them, the likelier it is one. */
const STORE_KEYS: ReadonlySet<string> = new Set([
  ...Object.keys(sourceStoreSchema.shape),
  ...['name', 'address', 'lat', 'lon', 'lng', 'latitude', 'longitude', 'location'],
]);

/** An object of more of these keys is a store: its parts are none. */
const MAX_PART_KEYS = 3;

/** How many steps lead to stores at most: three keys, a list, and a key within its elements. */
const MAX_STEPS = 5;

/** The first of objects that may be the stores. */
interface Candidate {
  /** As jq writes it: `.data.stores[]`. */
  readonly path: string;
  /** How many keys of a store it has. */
  readonly likeness: number;
}

/**
 * Returns the path of jq to the stores within a file that is one value: three keys deep at most, then what holds
 * them, a list or an object by id. Null when the value is a store or a list of stores itself, or has none in it.
 */
function pathToStores(value: unknown): string | null {
  const found = [...candidatesIn(value, '', 0)].sort((a, b) => b.likeness - a.likeness);
  const most = found[0]?.likeness ?? 0;
  // Parts of a store look like stores, too: `{"id":…,"slug":…,"rentalPoints":[{"id":…,"slug":…}]}`.
  const own = likenessOf(Array.isArray(value) ? value[0] : value);
  if (most <= 2 * Math.max(1, own)) return null;
  // Stores may lie in several lists: `{"fr":[…],"de":[…]}`.
  const best = found.filter(({ likeness }) => likeness === most);
  return best.map(({ path }) => path).join(', ');
}

/** Returns how many keys of a store a value has. */
function likenessOf(value: unknown): number {
  return Object.keys(Object(value)).filter((key) => STORE_KEYS.has(key)).length;
}

/** Yields candidates. @param path of the value: `[]` or a bracket in it stands for a list */
function* candidatesIn(value: unknown, path: string, steps: number): Generator<Candidate> {
  if (typeof value !== 'object' || value === null || steps > MAX_STEPS) return;
  const likeness = likenessOf(value);
  if (/[\])]/.test(path) && isObject(value)) yield { path, likeness };
  if (likeness > MAX_PART_KEYS) return;
  const [first] = Object.values(value);
  if (Array.isArray(value)) {
    yield* candidatesIn(first, `${path || '.'}[]`, steps + 1);
  } else if (areAlike(Object.values(value))) {
    const keyed = `(${path || '.'} | to_entries[] | {id: .key} + .value)`;
    const each = Object.hasOwn(first, 'id') ? `${path || '.'}[]` : keyed;
    yield* candidatesIn(first, each, steps + 1);
  } else {
    for (const [key, member] of Object.entries(value)) {
      yield* candidatesIn(member, path + jqPath(key), steps + 1);
    }
  }
}

/** Returns whether these are several objects of one kind, as those in an object by id. */
function areAlike([first, ...others]: readonly unknown[]): boolean {
  const [key] = Object.keys(Object(first));
  return (
    others.length > 0 &&
    others.every((other) => isObject(other) && key && Object.hasOwn(other, key))
  );
}

/**
 * Returns the path of jq that leads to a key of an object: `.stores`, `."store-list"`. jq writes strings as
 * JSON does, so that characters which are not printed as they are stand there as escapes. jq reads half of a surrogate
 * pair as U+FFFD, and refuses it in a path.
 */
function jqPath(key: string): string {
  return /^[a-z_]\w*$/i.test(key) ? `.${key}` : `.${visible(JSON.stringify(key.toWellFormed()))}`;
}
