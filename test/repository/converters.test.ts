/** The converters that data teams copy: their exports are valid, and the same whatever the order of the source. */
import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PROJECT_FOLDER } from '../../scripts/cli/platform.ts';
import { runProcess } from '../support/run-tool.ts';
import { useSnapshotTool } from '../support/snapshot-tool.ts';

const EXAMPLES = join(PROJECT_FOLDER, 'docs/examples');
const DEFAULTS = join(EXAMPLES, 'defaults.json');
const TABLE = join(EXAMPLES, 'shops.csv');

const tool = useSnapshotTool();

const convert = (kind: string, file: string) =>
  runProcess(process.execPath, [join(EXAMPLES, `from-${kind}.mjs`), file]);

/** The stores of an export, as they are read with the defaults. */
async function storesOf(kind: string, example: string) {
  const { code, stdout, stderr } = await convert(kind, join(EXAMPLES, example));
  expect(code).toBe(0);
  const args = ['validate', '--source', '-', '--defaults', DEFAULTS];
  const found = await tool.snapshot(args, stdout);
  expect(found).toMatchObject({ code: 0, stdout: expect.stringContaining(', no fault\n') });
  return {
    stores: stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
    stderr,
  };
}

const keyed = (key: string) => createHash('sha256').update(key).digest('hex').slice(0, 24);

/** Rows as `day from-to`. */
const rowsOf = ({
  temporal,
}: {
  temporal: { schedule: { openingHours: Record<string, string>[] } };
}) => temporal.schedule.openingHours.map(({ day, from, to }) => `${day} ${from}-${to}`);

describe('from-table.mjs', () => {
  it('gives shops ids of their keys, slugs of their names and rows of their hours', async () => {
    const { stores, stderr } = await storesOf('table', 'shops.csv');
    expect(stderr).toBe('');
    expect(stores.map(({ id }) => id)).toEqual(['B-0017', 'B-0018', 'B-0023', 'B-0031'].map(keyed));
    expect(stores[2].slug).toBe(`cafe-cycle-${stores[2].id.slice(0, 6)}`);
    const [evenings, breaks, nights, always] = stores.map(rowsOf);
    expect(evenings).toEqual([1, 2, 3, 4, 5, 6].map((day) => `${day} 07:00-00:00`));
    expect(breaks?.slice(-3)).toEqual(['5 09:00-12:30', '5 13:30-18:00', '6 10:00-16:00']);
    expect(nights).toEqual(['5 18:00-00:00', '6 00:00-02:00', '6 18:00-00:00', '0 00:00-02:00']);
    expect(always).toEqual([1, 2, 3, 4, 5, 6, 0].map((day) => `${day} 00:00-00:00`));
  });

  it('gives each shop the same whatever the order of rows and the separator', async () => {
    const [head = '', ...rows] = (await readFile(TABLE, 'utf8')).trim().split('\n');
    const plain = [head, ...rows.filter((row) => !row.includes('"'))].reverse();
    const other = join(tool.folder, 'other.csv');
    const table = [head, ...plain.slice(0, -1)].join('\r\n').replaceAll(',', ';');
    await writeFile(other, `\uFEFF${table}\r\n\r\n`);
    const lines = (await convert('table', TABLE)).stdout.trim().split('\n');
    const again = (await convert('table', other)).stdout.trim().split('\n');
    expect(again).toEqual([lines[3], lines[2], lines[0]]);
  });

  it('names the records that it cannot convert, and then writes nothing', async () => {
    const file = join(tool.folder, 'faulty.csv');
    const rows = ['1,One,1,Mo-Fr 09:00-17:00', ',Two,2,', '3,Three,3,by phone', '4,Four,north,'];
    await writeFile(file, ['number,name,lat,hours', ...rows].join('\n'));
    const { code, stdout, stderr } = await convert('table', file);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(
      /3 of 4 records are faulty\.\n {2}record 2: it has no key\n {2}record 3: .+\n {2}record 4: "north" is no number\n/,
    );
    await writeFile(file, Buffer.from('number,name\n1,Caf\u00e9\n', 'latin1'));
    expect(await convert('table', file)).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('not valid for encoding utf-8'),
    });
  });

  it('leaves no 0,0 and no invented text where the table has nothing', async () => {
    const file = join(tool.folder, 'bare.csv');
    await writeFile(file, 'number,name,lat,lng\n1,One,,\n');
    const { stdout } = await convert('table', file);
    expect(stdout).not.toContain('undefined');
    expect(JSON.parse(stdout).geo.main.point).toEqual({ lat: null, lng: null });
  });
});

describe('from-geojson.mjs', () => {
  it('reads points, outlines and tags, and says which hours depend on the date', async () => {
    const { stores, stderr } = await storesOf('geojson', 'shops.geojson');
    expect(stores.map(({ id, geo }) => [id, geo.main.point])).toEqual([
      [keyed('node/4711'), { lat: 51.4495, lng: -2.5967 }],
      [keyed('way/815'), { lat: 50.7236, lng: -3.5275 }],
    ]);
    expect(rowsOf(stores[0])).toHaveLength(6);
    expect(stderr).toContain('\n  Mo-Sa 07:00-24:00; PH off\n');
  });
});

describe('from-documents.mjs', () => {
  it('reads $oid, $date and numbers, and sorts what a database gives in any order', async () => {
    const { stores } = await storesOf('documents', 'shops.documents.ndjson');
    expect(stores.map(({ id }) => id)).toEqual(['5f2b8c0d9e1a4b3c7d6e5f41', keyed('B-0018')]);
    expect(rowsOf(stores[0])).toEqual(['1 07:00-00:00', '6 10:00-16:00']);
    expect(stores[0]).toMatchObject({
      geo: { main: { point: { lat: 51.4495, lng: -2.5967 } } },
      temporal: {
        schedule: {
          closedRanges: [{ from: '2026-12-24T00:00:00.000Z', to: '2026-12-31T00:00:00.000Z' }],
        },
      },
      metadata: { timestamps: { createdAt: '2021-04-12T08:30:00.000Z' } },
    });
  });
});

describe('the page on the source format', () => {
  it('shows the table of the example as it is', async () => {
    const page = await readFile(join(PROJECT_FOLDER, 'docs/source-format.md'), 'utf8');
    expect(page).toContain(`\n\`\`\`csv\n${await readFile(TABLE, 'utf8')}\`\`\`\n`);
  });
});
