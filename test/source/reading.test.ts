/** Reading sources: NDJSON and JSON arrays, however the bytes arrive. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_RECORD_BYTES } from '../../scripts/source/raw-record.ts';
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

describe('NDJSON', () => {
  it.each([
    ['one store a line', '{"a":1}\n{"b":2}\n', ['1:{"a":1}', '2:{"b":2}']],
    ['a last line without newline', '{"a":1}\n{"b":2}', ['1:{"a":1}', '2:{"b":2}']],
    ['CRLF', '{"a":1}\r\n{"b":2}\r\n', ['1:{"a":1}', '2:{"b":2}']],
    ['blank lines', '\n\n{"a":1}\n  \t\n\r\n{"b":2}\n\n', ['3:{"a":1}', '6:{"b":2}']],
    ['a byte order mark', '\ufeff{"a":1}\n', ['1:{"a":1}']],
    ['a byte order mark and blank lines', '\ufeff\n\n{"a":1}\n', ['3:{"a":1}']],
    ['letters of several bytes', '{"é":"日本 🚲"}\n{"b":2}', ['1:{"é":"日本 🚲"}', '2:{"b":2}']],
    ['nothing', '', []],
    ['white space only', ' \n\r\n\t', []],
    ['a byte order mark only', '\ufeff', []],
    ['values that are no objects', '1\n"[x"\nnull\n', ['1:1', '2:"[x"', '3:null']],
  ])('%s', async (_name, content, expected) => {
    for (const size of [1, 2, 3, 5, 1000]) expect(await read(content, size)).toEqual(expected);
  });

  it.each([
    ['a store', '{\n  "a": 1,\n  "b": { "c": [\n 2 ] }\n}\n', 1],
    ['several', '\n{ "a": {\n"b": 1 }\n}\n{\n"a": 1 }\n', 2],
  ])('has one fault for %s over several lines', async (_name, content, line) => {
    const fault = `${line} store_over_lines: expected it on one line (jq -c . FILE writes it so), or stores in a JSON array`;
    for (const size of [1, 1000]) expect(await read(content, size)).toEqual([fault]);
  });

  it.each([
    ['a table', 'id,slug,name\n1,alpine,"Alpine, Annecy"\n2,b,B\n', 'other_file', 'a table (CSV)'],
    ['a web page', '\n<!doctype html>\n<title>Sign in</title>\n', 'other_file', 'a web page'],
    ['an Excel file', 'PK\u0003\u0004\u0014\n', 'other_file', 'Excel'],
    ['an object around the stores', '{"total":1,"docs":[{"id":"a"}]}', 'wrapped_stores', '.docs[]'],
  ])('of %s has one fault that says so', async (_name, content, kind, words) => {
    for (const size of [1, 1000]) {
      const seen = await read(content, size);
      expect(seen).toEqual([expect.stringContaining(`${kind}: `)]);
      expect(seen[0]).toContain(words);
    }
  });

  it('goes on behind a first line that is cut off', async () => {
    const seen = await read('{"a":\n{"b":2}\n"c"\n');
    expect(seen).toEqual([expect.stringMatching(/^1 invalid_json: /), '2:{"b":2}', '3:"c"']);
  });

  it.each([
    ['little-endian', '\ufeff{"é":1}\n', false],
    ['big-endian', '\ufeff[{"é":1}]', true],
    ['little-endian without a mark', '{"é":1}\n', false],
    ['big-endian without a mark', '{"é":1}\n', true],
  ])('in UTF-16, %s, is called that', async (_name, content, isSwapped) => {
    const bytes = Buffer.from(content, 'utf16le');
    if (isSwapped) bytes.swap16();
    for (const size of [1, 1000]) {
      const seen = await read(bytes, size);
      expect(seen).toEqual([expect.stringMatching(/^1 utf16: expected UTF-8 text: convert it/)]);
    }
  });

  it('says of a last line without newline that is not JSON that the source may be cut off', async () => {
    const words = 'the source ends in this line, and may be cut off';
    for (const size of [1, 1000]) {
      const [, ...faults] = await read('{"a":1}\n{"b":"sh', size);
      expect(faults).toEqual([
        expect.stringMatching(`^2 invalid_json: expected JSON: .*: ${words}$`),
      ]);
    }
    expect((await read('{"a":1}\n{"b":"sh\n')).join()).not.toContain(words);
    // Within a letter of several bytes.
    const letter = Buffer.concat([Buffer.from('{"a":1}\n{"b":"Caf'), Buffer.from([0xc3])]);
    expect(await read(letter)).toEqual([
      '1:{"a":1}',
      `2 invalid_utf8: expected UTF-8 text: ${words}`,
    ]);
  });

  it('reports a line that is not JSON and goes on behind it', async () => {
    const seen = await read('{"a":1}\n{"b":\n{"c":3}\n');
    expect(seen).toEqual(['1:{"a":1}', expect.stringMatching(/^2 invalid_json: /), '3:{"c":3}']);
  });

  it('reports bytes that are not UTF-8, where they are', async () => {
    const content = Buffer.concat([
      Buffer.from('{"a":1}\n{"name":"Caf'),
      Buffer.from([0xe9]),
      Buffer.from('"}\n{"c":3}\n'),
    ]);
    for (const size of [1, 7, 1000]) {
      const seen = await read(content, size);
      expect(seen).toEqual(['1:{"a":1}', '2 invalid_utf8: expected UTF-8 text', '3:{"c":3}']);
    }
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
});

describe('a JSON array', () => {
  it.each([
    ['on one line', '[{"a":1},{"b":2}]', ['1:{"a":1}', '1:{"b":2}']],
    ['one store a line', '[\n{"a":1},\n{"b":2}\n]\n', ['2:{"a":1}', '3:{"b":2}']],
    [
      'pretty-printed',
      '[\n  {\n    "a": 1\n  },\n  {\n    "b": 2\n  }\n]',
      ['2:{"a":1}', '5:{"b":2}'],
    ],
    ['CRLF', '[\r\n{"a":1},\r\n\r\n{"b":2}\r\n]\r\n', ['2:{"a":1}', '4:{"b":2}']],
    ['commas first', '[{"a":1}\n,{"b":2}\n, {"c":3}]', ['1:{"a":1}', '2:{"b":2}', '3:{"c":3}']],
    ['behind a byte order mark and blank lines', '\ufeff\n\n [\n1]', ['4:1']],
    [
      'with brackets, quotes and backslashes in strings',
      '[{"a":"]},[{"},\n{"b":"\\"]\\\\"},\n"\\\\",["]",[{}]]]',
      ['1:{"a":"]},[{"}', '2:{"b":"\\"]\\\\"}', '3:"\\\\"', '3:["]",[{}]]'],
    ],
    ['of bare values', '[1, "x" ,null,\ntrue]', ['1:1', '1:"x"', '1:null', '2:true']],
    ['empty', '[ \n ]', []],
  ])('%s', async (_name, content, expected) => {
    for (const size of [1, 2, 3, 5, 1000]) expect(await read(content, size)).toEqual(expected);
  });

  it.each([
    ['two commas', '[1,\n,2]', ['1:1', '2 invalid_json: expected a store', '2:2']],
    ['a comma at the end', '[1,\n]', ['1:1', '2 invalid_json: expected a store']],
    [
      'a comma alone',
      '[,]',
      ['1 invalid_json: expected a store', '1 invalid_json: expected a store'],
    ],
    [
      'text behind it',
      '[1]\n\n{"a":1}\n2',
      ['1:1', '3 broken_array: expected nothing after the array'],
    ],
    [
      'no end',
      '[1,\n2\n',
      ['1:1', '2:2', '3 broken_array: expected "]": the source ends within its array'],
    ],
    [
      'no end behind a comma',
      '[1,\n',
      ['1:1', '2 broken_array: expected "]": the source ends within its array'],
    ],
    [
      'an element without end',
      '[1,\n{"a":[1,\n2',
      ['1:1', '2 broken_array: the source ends within the store that begins here'],
    ],
    [
      'an element that closes the wrong bracket, and with it hides all others',
      '[1,\n{"a":[1}\n,\n{"b":2}]',
      [
        '1:1',
        expect.stringMatching(/^2 invalid_json/),
        '4 broken_array: expected "]": the source ends within its array',
      ],
    ],
    [
      'a string without end',
      '[1,\n{"a":"x},\n{"b":2}]',
      ['1:1', '2 broken_array: the source ends within the store that begins here'],
    ],
  ])('with %s', async (_name, content, expected) => {
    for (const size of [1, 2, 3, 1000]) expect(await read(content, size)).toEqual(expected);
  });

  it('reports an element that is not JSON and goes on behind it', async () => {
    const seen = await read('[\n{"a": x},\n{"b":2}},\n{"c":3}]');
    expect(seen).toEqual([
      expect.stringMatching(/^2 invalid_json: /),
      expect.stringMatching(/^3 invalid_json: /),
      '4:{"c":3}',
    ]);
  });

  it('of any values, printed and cut in any way, gives those values', async () => {
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
});
