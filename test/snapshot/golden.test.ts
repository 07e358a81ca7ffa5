/** The snapshot format, nailed down by committed bytes and a decoder that shares no code with it. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type SourceStore, sourceStoreSchema } from '../../scripts/compile/source-store.ts';
import { LANGUAGES } from '../../src/model/enumerations.ts';
import { FORMAT_VERSION } from '../../src/snapshot/keys.ts';
import { projectStore } from '../support/oracle/projection.ts';
import { describeStore } from '../support/oracle/store-answer.ts';
import { compileStores } from '../support/stores/compiled-stores.ts';
import { GoldenRecord, recordsOf, sectionsOf, words } from './support/golden-decoder.ts';

const GOLDEN = new URL('../golden/', import.meta.url);
const read = (name: string) => readFileSync(new URL(name, GOLDEN));

const lines = read('stores.ndjson').toString().trimEnd().split('\n');
const sources = lines.map((line): SourceStore => sourceStoreSchema.parse(JSON.parse(line)));
const ordered = [...sources].sort((a, b) => (a.id < b.id ? -1 : 1));
const manifest = JSON.parse(read('snapshot/manifest.json').toString());
const object = (hash: string) => read(`snapshot/objects/${hash}`);
const part = (name: string) => object(manifest.parts[name].hash);

/** A section of a part; of those that are one column, the only one. */
function section(name: string, number = 0): Buffer {
  return sectionsOf(part(name))[number] as Buffer;
}

/** The records in order of id, found by the `chunks` part. */
function records(): GoldenRecord[] {
  const [firsts, hashes] = [words(section('chunks')), section('chunks', 2)];
  return [...firsts].slice(1).flatMap((end, number) => {
    const chunk = object(hashes.toString('hex', 16 * number, 16 * number + 16));
    const found = recordsOf(chunk);
    expect(found).toHaveLength(end - (firsts[number] as number));
    expect(words(section('chunks', 1))[number]).toBe(chunk.length);
    return found.map((bytes) => new GoldenRecord(bytes));
  });
}

describe('golden snapshot', () => {
  it('is what the compiler writes, to the byte', async () => {
    const { manifest: compiled, objects } = await compileStores(sources);
    expect(compiled).toEqual(manifest);
    expect([...objects.keys()].sort()).toEqual(
      readdirSync(new URL('snapshot/objects', GOLDEN)).sort(),
    );
    for (const [hash, bytes] of objects) expect(object(hash).equals(bytes)).toBe(true);
  });

  it('does not depend on the order of the stores', async () => {
    expect(await compileStores([...sources].reverse())).toMatchObject({ manifest });
  });

  it('has index parts that begin as the drawing shows', () => {
    for (const name of Object.keys(manifest.parts).filter((each) => each !== 'places')) {
      const bytes = part(name);
      expect(bytes.toString('latin1', 0, 4)).toBe('RSDC');
      expect([bytes.readUInt16LE(4), bytes.readUInt32LE(12)]).toEqual([FORMAT_VERSION, 0]);
      expect(bytes.readUInt32LE(8)).toBe(bytes.length);
    }
  });
});

describe('golden columns', () => {
  it('name the stores in order of id', () => {
    expect(section('ids').toString('hex')).toBe(ordered.map(({ id }) => id).join(''));
  });

  it('tell what the stores are called', () => {
    const ends = words(section('compared', 1));
    const slugs = ends.map((end, index) => {
      return section('compared', 2).toString('utf8', ends[index - 1] ?? 0, end);
    });
    expect(slugs).toEqual(ordered.map(({ slug }) => slug));
  });
});

describe('golden records', () => {
  it('hold the answer in every language and for every location', () => {
    records().forEach((record, ordinal) => {
      const source = ordered[ordinal] as SourceStore;
      const { rentalPoints } = source.geo;
      expect(record.locationCount).toBe(1 + rentalPoints.length);
      [...LANGUAGES, undefined].forEach((lang, language) => {
        for (let location = 0; location < record.locationCount; location++) {
          const view = { lang, locationIndex: location };
          const expected = projectStore(describeStore(source, view), undefined);
          // No white space, nothing written twice.
          expect(record.answer(language, location)).toBe(JSON.stringify(expected));
        }
      });
    });
  });
});
