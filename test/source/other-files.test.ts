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
  expect(fault.store).toBeNull();
  expect(`${fault.message}${fault.value}`).not.toMatch(/\p{Cc}|\ufffd/u);
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
    ['xz', Buffer.from('fd377a585a000004', 'hex'), 'xz -dc FILE |'],
    ['bzip2', 'BZh91AY&SY\u0000\u0001', 'bzip2 -dc FILE |'],
    ['LZ4', Buffer.from('04224d186440a7', 'hex'), 'lz4 -dc FILE |'],
    ['a ZIP archive', 'PK\u0003\u0004\u0014\n\0\0\0\0', 'unzip -p FILE |'],
    ['a tar archive', tar(STORES), 'tar -xOf FILE |'],
    ['SQLite', 'SQLite format 3\0\u0010\0', 'application/x-sqlite3'],
    ['Parquet', 'PAR1\u0015\u0004\u0015\u0010PAR1', 'apache.parquet'],
    ['a dump of PostgreSQL', 'PGDMP\u0001\u000e\0\u0004', 'a dump of a database'],
    ['the same as text', '--\n-- PostgreSQL database dump\n--\n\nSET x = 0;\n', 'a dump'],
    ['a dump of MySQL', '-- MySQL dump 10.13\n', 'a dump of a database'],
    ['a document', '%PDF-1.4\n%âãÏÓ\n', 'application/pdf'],
    ['a picture', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), 'image/png'],
    [
      'noise',
      Buffer.from(Array.from({ length: 5_000 }, (_, n) => (n * n * 7 + n) % 251)),
      'no text',
    ],
    ['a store and zeros', `${STORES}\n${'\0'.repeat(5_000)}`, 'no text'],
    ['XML', '<?xml version="1.0"?>\n<Error/>\n', 'XML'],
    ['a sequence (RFC 7464)', '\u001e{"a":1}\n\u001e{"a":2}\n', "tr -d '\\036' < FILE |"],
    [
      'a pointer',
      'version https://git-lfs.github.com/spec/v1\noid sha256:4d\nsize 1\n',
      'git lfs pull',
    ],
    ['an error', 'curl: (6) Could not resolve host: example.com\n', 'look at the step'],
    ['headers', 'HTTP/1.1 200 OK\r\nContent-Type: a/b\r\n\r\n[{"a":1}]\n', 'look at the step'],
    ['a banner', '\n> export@1 start\n\n{"id":1}\n', 'another text'],
    ['an answer', 'Not Found\n', 'another text'],
    ['a list in YAML', '- id: 1\n  name: x\n', 'YAML'],
    ['a document in YAML', '---\nstores:\n  - id: 1\n', 'yq -o json FILE |'],
    ['a table', 'id,slug,name\n1,alpine,"Alpine, Annecy"\n', 'a table'],
    ['a table of Windows', '\ufeffid;slug\r\n1;alpine\r\n', 'a table'],
    ['a table with tabs', 'id\tslug\n1\talpine\n', 'a table'],
  ])('%s', async (_name, content, words) => {
    const { kind, message } = await faultOf(content);
    expect([kind, message]).toEqual(['other_file', expect.stringContaining(words)]);
  });

  it('is shown with its first line', async () => {
    const { faults } = await validate('\nCafé: not found\r\n');
    expect(faults).toMatchObject([{ kind: 'other_file', value: 'Café: not found' }]);
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
    ['.data.stations[]', { ttl: 60, data: { stations: [{ name: 'A', lat: 1, lon: 2 }] } }],
    ['._embedded.stores[]', { _embedded: { stores }, _links: { self: { href: '' } } }],
    ['.a.b.c[]', { a: { b: { c: stores } } }],
    ['.[]', byId],
    ['(. | to_entries[] | {id: .key} + .value)', withoutIds],
    ['(.data.stores | to_entries[] | {id: .key} + .value)', { data: { stores: withoutIds } }],
    [
      '.hits.hits[]._source',
      { hits: { hits: stores.map((store) => ({ _id: 1, _source: store })) } },
    ],
    [
      '.features[].properties',
      { features: stores.map((properties) => ({ geometry: {}, properties })) },
    ],
    ['.[].stores[]', [{ stores }]],
    ['.[]._source', stores.map((store) => ({ _source: store }))],
    ['.fr[], .de[]', { fr: stores.slice(2), de: stores.slice(0, 2), tags: [{ id: 1, name: 'x' }] }],
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
    [JSON.stringify({ stores }), "(jq -c '.stores[]' <(gunzip -c FILE) | npm run"],
    ['\u001e{}\n\u001e{}\n', "(tr -d '\\036' < <(gunzip -c FILE) | npm run"],
    [tar(STORES), '(tar -xOf <(gunzip -c FILE) | npm run'],
  ])('is unzipped first where it is gzip', async (content, command) => {
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
