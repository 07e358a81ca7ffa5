/** Files that are neither NDJSON nor a JSON array: called by their name, with the command that helps, and not printed. */
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { MAX_RECORD_BYTES } from '../../scripts/source/open-source.ts';
import { readSource } from '../../scripts/source/read-source.ts';
import { ndjson, validate } from '../support/faulty-sources.ts';
import { useSnapshotTool } from '../support/snapshot-tool.ts';
import { buildStore } from '../support/stores/store-builder.ts';

const tool = useSnapshotTool();

async function* once(bytes: Uint8Array) {
  yield bytes;
}

/** The kind of the one fault of a source, and what it says. */
async function faultOf(content: string | Uint8Array): Promise<{ kind: string; message: string }> {
  const records = await Array.fromAsync(readSource(once(Buffer.from(content))));
  expect(records).toHaveLength(1);
  const [fault] = records;
  if (!fault || !('kind' in fault)) expect.unreachable(JSON.stringify(fault));
  expect(fault).toMatchObject({ store: null, value: null });
  expect(fault.message).not.toMatch(/\p{Cc}|\ufffd/u);
  return fault;
}

const STORES = ndjson(Array.from({ length: 100 }, (_, index) => buildStore(index + 1)));

/** A tar archive, as far as it is looked at: a header with its sum, which is made with blanks in its place. */
function tar(content: string): Buffer {
  const header = Buffer.alloc(512);
  header.write('stores.ndjson');
  header.write(' '.repeat(8), 148);
  const sum = header.reduce((all, byte) => all + byte, 0);
  header.write(sum.toString(8).padStart(6, '0'), 148);
  return Buffer.concat([header, Buffer.from(content)]);
}

describe('a file of another kind', () => {
  it.each<[name: string, content: string | Uint8Array, words: string]>([
    [
      'Zstandard',
      zstdCompressSync(STORES),
      'zstd -dc FILE | npm run snapshot -- validate --source -',
    ],
    ['Brotli', brotliCompressSync(STORES), 'brotli -dc FILE |'],
    ['zlib', deflateSync(STORES), 'pigz -dc FILE |'],
    ['gzip within gzip', gzipSync(gzipSync(STORES)), 'gunzip -c FILE |'],
    ['gzip in Base64', gzipSync(STORES).toString('base64'), 'base64 -d FILE |'],
    ['xz', Buffer.from('fd377a585a000004', 'hex'), 'xz -dc FILE |'],
    ['LZMA', Buffer.from('5d00008000ffffffffffffffff003d', 'hex'), 'xz -dc FILE |'],
    ['bzip2', 'BZh91AY&SY\u0000\u0001', 'bzip2 -dc FILE |'],
    ['LZ4', Buffer.from('04224d186440a7', 'hex'), 'lz4 -dc FILE |'],
    ['a ZIP archive', 'PK\u0003\u0004\u0014\n\0\0\0\0', 'unzip -p FILE |'],
    ['a tar archive', tar(STORES), 'tar -xOf FILE |'],
    ['a tar archive in gzip', gzipSync(tar(STORES)), 'tar -xOf FILE |'],
    ['old Excel', Buffer.from('d0cf11e0a1b11ae1', 'hex'), 'Excel'],
    ['SQLite', 'SQLite format 3\0\u0010\0', 'a database of SQLite'],
    ['Parquet', 'PAR1\u0015\u0004\u0015\u0010PAR1', 'Parquet'],
    ['a dump of PostgreSQL', 'PGDMP\u0001\u000e\0\u0004', 'a dump of PostgreSQL'],
    ['a dump of PostgreSQL as text', '--\n-- PostgreSQL database dump\n--\n\nSET x = 0;\n', 'SQL'],
    ['a dump of MySQL', '-- MySQL dump 10.13\n', 'SQL'],
    ['a dump of MongoDB', Buffer.from('1f000000075f696400', 'hex'), 'bsondump --quiet FILE |'],
    ['a document that begins as JSON', '{\\rtf1\\ansi x}', 'application/rtf'],
    ['a document', '%PDF-1.4\n%âãÏÓ\n', 'application/pdf'],
    ['a picture', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), 'image/png'],
    [
      'noise',
      Buffer.from(Array.from({ length: 5_000 }, (_, n) => (n * n * 7 + n) % 251)),
      'no text',
    ],
    ['a store and zeros', `${STORES}\n${'\0'.repeat(5_000)}`, 'no text'],
    ['a conflict', '<<<<<<< HEAD\n{"id":1}\n=======\n', 'Git could not merge'],
    ['XML', '<?xml version="1.0"?>\n<Error/>\n', 'XML'],
    ['a sequence (RFC 7464)', '\u001e{"a":1}\n\u001e{"a":2}\n', "tr -d '\\036' < FILE |"],
    [
      'a pointer',
      'version https://git-lfs.github.com/spec/v1\noid sha256:4d\nsize 1\n',
      'git lfs pull',
    ],
    ['an error', 'curl: (6) Could not resolve host: example.com\n', 'look at that step'],
    ['a warning', 'mysqldump: [Warning] Using a password can be insecure.\n', 'look at that step'],
    ['headers', 'HTTP/1.1 200 OK\r\nContent-Type: a/b\r\n\r\n[{"a":1}]\n', 'look at that step'],
    ['an answer', 'Not Found\n', 'another text'],
    ['a list in YAML', '- id: 1\n  name: x\n', 'YAML'],
    ['a document in YAML', '---\nstores:\n  - id: 1\n', 'yq -o json FILE |'],
    ['a program', 'module.exports = [\n{ id: 1 }]\n', 'JavaScript'],
    ['a table', 'id,slug,name\n1,alpine,"Alpine, Annecy"\n', 'a table'],
    ['a table of Windows', '\ufeffid;slug\r\n1;alpine\r\n', 'a table'],
    ['a table with tabs', 'id\tslug\n1\talpine\n', 'a table'],
  ])('%s', async (_name, content, words) => {
    const { kind, message } = await faultOf(content);
    expect([kind, message]).toEqual(['other_file', expect.stringContaining(words)]);
  });

  it.each(['UTF-32LE', 'UTF-32BE'])('is text of %s', async (encoding) => {
    const units = Array.from('\n{"a":1}\n', (sign) => sign.codePointAt(0) as number);
    const view = new DataView(new ArrayBuffer(4 * units.length));
    for (const [index, unit] of units.entries())
      view.setUint32(4 * index, unit, encoding === 'UTF-32LE');
    expect(await faultOf(new Uint8Array(view.buffer))).toMatchObject({
      kind: 'utf16',
      message: expect.stringContaining(`iconv -f ${encoding} -t UTF-8 FILE |`),
    });
  });

  it('is no file of lines any of which is a store, whatever stands before them', async () => {
    const { good, faults } = await validate(`\n> export@1 start\n\n${STORES}\n`);
    expect(good).toHaveLength(100);
    expect(faults.map(({ kind }) => kind)).toEqual(['invalid_json']);
  });

  it('is one with a NUL, however late, so that nothing is taken from it', async () => {
    async function* late() {
      yield Buffer.from(`${STORES}\n`);
      yield Buffer.from('{"id":"a\0"}\n');
    }
    const records = await Array.fromAsync(readSource(late()));
    expect(records).toHaveLength(101);
    expect(records.at(-1)).toMatchObject({ kind: 'other_file', line: 101, value: null });
  });
});

describe('a file that is one JSON value around the stores', () => {
  const stores = [1, 2, 3].map((number) => buildStore(number));
  const byId = Object.fromEntries(stores.map((store) => [store.id, store]));
  const withoutIds = Object.fromEntries(stores.map(({ id, ...store }) => [id, store]));
  const CASES: [path: string, value: unknown][] = [
    ['.stores[]', { stores }],
    ['.stores[]', { id: '5eb3d668b31de5d588f42a2a', stores }],
    ['.stores[]', { stores: byId, meta: { total: 3, errors: [] } }],
    ['.data.stores[]', { data: { categories: [{ id: 1, name: 'Bikes' }], stores } }],
    ['.data.stations[]', { ttl: 60, data: { stations: [{ station_id: 'a', name: 'A', lat: 1 }] } }],
    ['._embedded.stores[]', { _embedded: { stores }, _links: { self: { href: '' } } }],
    ['.a.b.c[]', { a: { b: { c: stores } } }],
    ['.[]', byId],
    ['to_entries[] | {id: .key} + .value', withoutIds],
    ['.data.stores | to_entries[] | {id: .key} + .value', { data: { stores: withoutIds } }],
    [
      '.hits.hits[]._source',
      { hits: { hits: stores.map((store) => ({ _id: 1, _source: store })) } },
    ],
    [
      '.features[].properties',
      { features: stores.map((properties) => ({ geometry: {}, properties })) },
    ],
    [
      '.features[]',
      { features: [{ geometry: {}, properties: { name: 'A', address: 'B', lat: 1 } }] },
    ],
    ['.[].stores[]', [{ stores }]],
    ['.[][]', stores.map((store) => ({ [store.id]: store }))],
    ['.[]._source', stores.map((store) => ({ _source: store }))],
    [
      '(.de[]), (.fr[])',
      { fr: stores.slice(2), de: stores.slice(0, 2), tags: [{ id: 1, name: 'x' }] },
    ],
    ['."store-list"[]', { 'store-list': stores }],
  ];

  it.each(CASES)('is told with the path of jq to them: %s', async (path, value) => {
    for (const indent of [0, 2]) {
      const { kind, message } = await faultOf(`\ufeff${JSON.stringify(value, null, indent)}\n\n`);
      expect(kind).toBe('wrapped_stores');
      expect(message).toBe(
        `expected the stores alone (jq -c '${path}' FILE | npm run snapshot -- validate --source -)`,
      );
    }
  });

  it('is none where stores are mixed with other members: no part of a store is taken for one', async () => {
    const { faults } = await validate(JSON.stringify({ version: 1, ...byId }));
    expect(faults.map(({ kind }) => kind)).not.toContain('wrapped_stores');
  });

  it.each([
    [JSON.stringify({ stores }), "(gunzip -c FILE | jq -c '.stores[]' | npm run"],
    ['\u001e{}\n\u001e{}\n', "(gunzip -c FILE | tr -d '\\036' | npm run"],
    [tar(STORES), '(tar -xOf FILE | npm run'],
  ])('is unzipped first where it is gzip, unless tar does so', async (content, command) => {
    const { stdout } = await tool.snapshot(['validate', '--source', '-'], gzipSync(content));
    expect(stdout).toContain(command);
  });

  it('is told of one that is larger than memory should hold', async () => {
    async function* endless() {
      yield Buffer.from('{"data":{"stores":[\n');
      for (let read = 0; ; read += STORES.length) {
        expect(read).toBeLessThan(2 * MAX_RECORD_BYTES);
        yield Buffer.from(`${STORES.replaceAll('\n', ',\n')},\n`);
      }
    }
    const { value } = await readSource(endless()).next();
    expect(value).toMatchObject({ kind: 'wrapped_stores', line: 1 });
    expect(value.message).toContain("'.data.stores[]'");
  });
});
