/** Reading sources: NDJSON and JSON arrays, however the bytes arrive. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_RECORD_BYTES } from '../../scripts/source/open-source.ts';
import { readSource } from '../../scripts/source/read-source.ts';

async function* inChunks(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += size) {
    yield bytes.subarray(start, start + size);
  }
}

/** What a source reads as: `line:JSON` of a value, `line kind: message` of a fault. */
async function read(content: string | Uint8Array, chunkSize = 1 << 20): Promise<string[]> {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  const seen: string[] = [];
  for await (const record of readSource(inChunks(bytes, chunkSize))) {
    seen.push(
      'kind' in record
        ? `${record.line} ${record.kind}: ${record.message}`
        : `${record.line}:${JSON.stringify(record.value)}`,
    );
  }
  return seen;
}

/** One fault, in words that stand somewhere in it. */
const fault = (kind: string, words = '') => [expect.stringMatching(`^\\d+ ${kind}: .*${words}`)];
const OVER_LINES =
  'store_over_lines: expected each store on one line (jq -c . FILE | npm run snapshot -- validate --source -)';
const NO_STORE = 'invalid_json: expected JSON: Unexpected end of JSON input';
const WITHIN_ARRAY = 'broken_end: expected "]": the source ends within its array';
const CUT_OFF = 'the source ends in this line, and may be cut off';
const NOT_JSON = (line: number) => expect.stringMatching(`^${line} invalid_json: `);

function utf16(content: string, isSwapped: boolean): Uint8Array {
  const bytes = Buffer.from(content, 'utf16le');
  return isSwapped ? bytes.swap16() : bytes;
}

/** Text with a byte in it that is no UTF-8. */
const broken = (before: string, byte: number, after: string) =>
  Buffer.concat([Buffer.from(before), Buffer.from([byte]), Buffer.from(after)]);

type Case = [name: string, content: string | Uint8Array, expected: unknown[]];

describe.each<[string, Case[]]>([
  [
    'NDJSON',
    [
      ['one store a line', '{"a":1}\n{"b":2}\n', ['1:{"a":1}', '2:{"b":2}']],
      ['blank lines', '\n\n{"a":1}\n  \t\n\r\n{"b":2}\n\n', ['3:{"a":1}', '6:{"b":2}']],
      ['letters of several bytes', '{"é":"日本 🚲"}\n{"b":2}', ['1:{"é":"日本 🚲"}', '2:{"b":2}']],
      ['a byte order mark only', '\ufeff', []],
      ['values that are no objects', '1\n"[x"\nnull\n', ['1:1', '2:"[x"', '3:null']],
      ['stores over lines', '\n{ "a": {\n"b": 1 }\n}\n{\n"a": 1 }\n', [`1 ${OVER_LINES}`]],
      [
        'lines with a list of objects before the id, as databases write them',
        '{"history":[{"at":1}],"id":"a"}\n{"history":[{"at":2}],"id":"b"}\n',
        ['1:{"history":[{"at":1}],"id":"a"}', '2:{"history":[{"at":2}],"id":"b"}'],
      ],
      [
        'a line with an object around stores, and another',
        '{"stores":[{"id":"a"}]}\n{"stores":[{"id":"b"}]}\n',
        ['1:{"stores":[{"id":"a"}]}', '2:{"stores":[{"id":"b"}]}'],
      ],
      [
        'a store alone whose parts look like stores',
        '{"id":"a","slug":"a","rentalPoints":[{"id":"p","slug":"b"}]}\n',
        ['1:{"id":"a","slug":"a","rentalPoints":[{"id":"p","slug":"b"}]}'],
      ],
      [
        'a message of an interface',
        '{"errors":[{"message":"no"}]}',
        fault('no_stores', 'an object without any: look at the step'),
      ],
      ['an answer over lines', '{\n  "stores": [\n  ]\n}\n', fault('no_stores')],
      ['little-endian UTF-16', utf16('\ufeff{"é":1}\n', false), fault('other_file', 'UTF-16LE')],
      ['big-endian UTF-16', utf16('\ufeff[{"é":1}]', true), fault('other_file', 'convert it')],
      [
        'little-endian without a mark',
        utf16('{"é":1}\n', false),
        fault('other_file', '-f UTF-16LE'),
      ],
      ['big-endian without a mark', utf16('{"é":1}\n', true), fault('other_file', '-f UTF-16BE')],
      [
        'a first line that is cut off',
        '{"a":\n{"b":2}\n"c"\n',
        [NOT_JSON(1), '2:{"b":2}', '3:"c"'],
      ],
      [
        'bytes that are not UTF-8',
        broken('{"a":1}\n{"name":"Caf', 0xe9, '"}\n{"c":3}\n'),
        ['1:{"a":1}', '2 invalid_utf8: expected UTF-8 text', '3:{"c":3}'],
      ],
      [
        'a last line that is cut off',
        '{"a":1}\n{"b":"sh',
        ['1:{"a":1}', expect.stringMatching(`^2 broken_end: expected JSON: .*: ${CUT_OFF}$`)],
      ],
      [
        'a last line that is whole and no JSON',
        '{"a":1}\n{"b":"sh\n',
        ['1:{"a":1}', expect.stringMatching(`^2 invalid_json: (?!.*${CUT_OFF})`)],
      ],
      [
        'a last line that is cut off within a letter',
        broken('{"a":1}\n{"b":"Caf', 0xc3, ''),
        ['1:{"a":1}', `2 broken_end: expected UTF-8 text: ${CUT_OFF}`],
      ],
    ],
  ],
  [
    'a JSON array',
    [
      [
        'pretty-printed',
        '[\r\n  {\n    "a": 1\n  },\n  {\n "b": 2 }\n]',
        ['2:{"a":1}', '5:{"b":2}'],
      ],
      ['commas first', '[{"a":1}\n,{"b":2}\n, {"c":3}]', ['1:{"a":1}', '2:{"b":2}', '3:{"c":3}']],
      ['behind a byte order mark and blank lines', '\ufeff\n\n [\n1]', ['4:1']],
      [
        'brackets, quotes and backslashes in strings',
        '[{"a":"]},[{"},\n{"b":"\\"]\\\\"},\n"\\\\",["]",[{}]]]',
        ['1:{"a":"]},[{"}', '2:{"b":"\\"]\\\\"}', '3:"\\\\"', '3:["]",[{}]]'],
      ],
      ['two commas', '[1,\n,2]', ['1:1', `2 ${NO_STORE}`, '2:2']],
      ['a comma at the end', '[1,\n]', ['1:1', `2 ${NO_STORE}`]],
      [
        'text behind it',
        '[1]\n\n{"a":1}\n2',
        ['1:1', '3 broken_end: expected nothing after the array'],
      ],
      ['no end', '[1,\n2\n', ['1:1', `2 ${WITHIN_ARRAY}`]],
      ['an element without end', '[1,\n{"a":[1,\n2', ['1:1', `2 ${WITHIN_ARRAY}`]],
      [
        'an element that closes the wrong bracket, and with it hides all others',
        '[1,\n{"a":[1}\n,\n{"b":2}]',
        ['1:1', `2 ${WITHIN_ARRAY}`],
      ],
      ['a string without end', '[1,\n{"a":"x},\n{"b":2}]', ['1:1', `2 ${WITHIN_ARRAY}`]],
      [
        'elements that are not JSON',
        '[\n{"a": x},\n{"b":2}},\n{"c":3}]',
        [NOT_JSON(2), NOT_JSON(3), '4:{"c":3}'],
      ],
    ],
  ],
])('what %s holds', (_form, cases) => {
  it.each(cases)('is read in chunks of any length: %s', async (_name, content, expected) => {
    for (const size of [1, 2, 3, 5, 1000]) expect(await read(content, size)).toEqual(expected);
  });
});

it('refuses a line longer than memory should hold and goes on behind it', async () => {
  const long = Buffer.alloc(MAX_RECORD_BYTES + 1, 'x');
  const content = Buffer.concat([Buffer.from('{"a":1}\n'), long, Buffer.from('\n{"c":3}')]);
  expect(await read(content)).toEqual([
    '1:{"a":1}',
    `2 record_too_large: expected at most ${MAX_RECORD_BYTES} bytes`,
    '3:{"c":3}',
  ]);
});

it('a JSON array of any values, printed and cut in any way, gives those values', async () => {
  const values = fc.array(fc.jsonValue({ maxDepth: 4 }), { maxLength: 8 });
  const printing = fc.record({
    indent: fc.constantFrom(0, 1, 4),
    chunk: fc.integer({ min: 1, max: 40 }),
  });
  await fc.assert(
    fc.asyncProperty(values, printing, async (array, { indent, chunk }) => {
      const seen = await read(JSON.stringify(array, null, indent), chunk);
      const withoutLines = seen.map((text) => text.slice(text.indexOf(':') + 1));
      expect(withoutLines).toEqual(array.map((value) => JSON.stringify(value)));
    }),
  );
});
