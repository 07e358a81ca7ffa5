/** The snapshot format, nailed down by committed bytes and a decoder that shares no code with it. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { compileRelease } from '../../src/compile/compile-release.ts';
import { MemorySink, MemorySpool } from '../../src/compile/memory-output.ts';
import { type SourceStore, sourceStoreSchema } from '../../src/model/source-store.ts';

const GOLDEN = new URL('../golden/', import.meta.url);
const read = (name: string) => readFileSync(new URL(name, GOLDEN));

const lines = read('stores.ndjson').toString().trimEnd().split('\n');
const sources = lines.map((line): SourceStore => sourceStoreSchema.parse(JSON.parse(line)));
const manifest = JSON.parse(read('snapshot/manifest.json').toString());
const object = (hash: string) => read(`snapshot/objects/${hash}`);

async function compile(stores: readonly SourceStore[]) {
  const sink = new MemorySink();
  const compiled = await compileRelease(stores, { spool: new MemorySpool(), sink });
  return { compiled, objects: sink.objects };
}

describe('golden snapshot', () => {
  it('is what the compiler writes, to the byte', async () => {
    const { compiled, objects } = await compile(sources);
    expect(compiled).toEqual(manifest);
    expect([...objects.keys()].sort()).toEqual(
      readdirSync(new URL('snapshot/objects', GOLDEN)).sort(),
    );
    for (const [hash, bytes] of objects) expect(object(hash).equals(bytes)).toBe(true);
  });

  it('does not depend on the order of the stores', async () => {
    const { compiled } = await compile([...sources].reverse());
    expect(compiled).toEqual(manifest);
  });

  it('holds the stores in the layout that the drawings show', () => {
    const part = object(manifest.parts.stores.hash);
    expect(part.toString('latin1', 0, 4)).toBe('RSDC');
    expect(part.readUInt16LE(4)).toBe(2);
    expect(part.readUInt16LE(6)).toBe(6);
    expect(part.readUInt32LE(8)).toBe(part.length);
    const section = (number: number) => sectionOf(part, number);
    const ids = sectionOf(object(manifest.parts.ids.hash), 0);
    const slugs = sectionOf(object(manifest.parts.slugs.hash), 1);
    const ordered = [...sources].sort((a, b) => (a.id < b.id ? -1 : 1));
    expect(ids.toString('hex')).toBe(ordered.map(({ id }) => id).join(''));
    expect(slugs.toString()).toBe(ordered.map(({ slug }) => slug).join(''));
    ordered.forEach((source, ordinal) => {
      const chunk = section(1).readUInt32LE(4 * ordinal);
      const chunkHash = section(4).toString('hex', 32 * chunk, 32 * chunk + 32);
      const start = section(2).readUInt32LE(4 * ordinal);
      const length = section(3).readUInt32LE(4 * ordinal);
      expectRecord(object(chunkHash).subarray(start, start + length), source);
    });
  });
});

/** A section of a column file, by the drawing in `column-file.ts`. */
function sectionOf(part: Buffer, number: number): Buffer {
  const offset = part.readUInt32LE(16 + 8 * number);
  return part.subarray(offset, offset + part.readUInt32LE(20 + 8 * number));
}

/** Checks a record by the drawing in `record-layout.ts`: bounds at 16, 28 words, then the base text. */
function expectRecord(record: Buffer, source: SourceStore): void {
  const bounds = Array.from({ length: 28 }, (_, index) => record.readUInt32LE(16 + 4 * index));
  const baseText = record.toString('utf8', bounds[0], (bounds[27] as number) + 1);
  const answer = JSON.parse(baseText);
  expect(answer.id).toBe(source.id);
  expect(answer.modules).toEqual(source.modules);
  expect(answer.localization.current).toBe(source.localization.default);
  expect(answer.geo.location.point).toEqual(source.geo.main.point);
  expect(record.readUInt16LE(10)).toBe(1 + source.geo.rentalPoints.length);
  // The bounds cut the text at its top-level fields.
  Object.entries(answer).forEach(([key, value]) => {
    const text = JSON.stringify(value);
    const pieces = bounds.slice(1).map((end, index) => record.toString('utf8', bounds[index], end));
    expect(pieces.filter((piece) => piece.slice(1) === `"${key}":${text}`)).toHaveLength(1);
  });
}
