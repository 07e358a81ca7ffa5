/** The converters that data teams copy: their exports are valid, and the same whatever the order of the source. */
import { hash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { PROJECT_FOLDER } from '../../scripts/cli/platform.ts';
import { runProcess } from '../support/run-tool.ts';
import { useSnapshotTool } from '../support/snapshot-tool.ts';

const EXAMPLES = join(PROJECT_FOLDER, 'docs/examples');

const tool = useSnapshotTool();

const convert = (kind: string, file: string) =>
  runProcess(process.execPath, [join(EXAMPLES, `from-${kind}.mjs`), file]);

/** Converts a table of this content. */
async function convertTable(table: string | Uint8Array) {
  const file = join(tool.folder, 'shops.csv');
  await writeFile(file, table);
  const outcome = await convert('table', file);
  return { ...outcome, lines: outcome.stdout.trim().split('\n') };
}

/** The stores of an example, which have no fault with the defaults. */
async function convertExample(kind: string, example: string) {
  const { stdout, stderr } = await convert(kind, join(EXAMPLES, example));
  const args = ['validate', '--source', '-', '--defaults', join(EXAMPLES, 'defaults.json')];
  expect((await tool.snapshot(args, stdout)).stdout).toContain(', no fault\n');
  const stores = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const hours = stores.map(({ temporal }) =>
    temporal.schedule.openingHours?.map(
      (row: Record<string, string>) => `${row.day} ${row.from}-${row.to}`,
    ),
  );
  return { stores, hours, stderr };
}

const keyed = (key: string) => hash('sha256', key).slice(0, 24);

it('a table becomes stores with ids of its keys and rows of OpenStreetMap hours, whatever the order of rows and the separator', async () => {
  const { stores, hours, stderr } = await convertExample('table', 'shops.csv');
  expect(stderr).toBe('');
  expect(stores.map(({ id }) => id)).toEqual(['B-0017', 'B-0018', 'B-0023', 'B-0031'].map(keyed));
  const [evenings, , nights, always] = hours;
  expect(evenings).toEqual([1, 2, 3, 4, 5, 6].map((day) => `${day} 07:00-00:00`));
  expect(nights).toEqual(['5 18:00-00:00', '6 00:00-02:00', '6 18:00-00:00', '0 00:00-02:00']);
  expect(always).toContain('0 00:00-00:00');
  const table = await readFile(join(EXAMPLES, 'shops.csv'), 'utf8');
  const [head, harbour, , , parade] = table.split('\n');
  const other = [head, parade, harbour, ''].join('\r\n').replaceAll(',', ';');
  const { lines } = await convertTable(`\uFEFF${other}`);
  expect(lines.map((line) => JSON.parse(line))).toEqual([stores[3], stores[0]]);
});

it('a table that cannot be converted is refused with its records', async () => {
  const rows = ['1,One,,', ',Two,2,', 'C-3,Three,3,"Mo-Fr 9h-12h30, 14h-19h"', 'C-4,Four,north,'];
  const { code, stdout, stderr } = await convertTable(`number,name,lat,hours\n${rows.join('\n')}`);
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(
    /3 of 4 records .+\n {2}record 2: it has no key\n {2}record 3 \(C-3\): "Mo-Fr 9h-12h30, 14h-19h" is none .{1,170}\n {2}record 4 \(C-4\): "north" is no number\n/,
  );
});

it('a table of another encoding is refused with the way to UTF-8; of names ASCII slugs are made, of nothing nothing', async () => {
  const table = 'number,name,lat,hours\n1,Große Ærø Łódź,,\n';
  const latin = Buffer.from(table.replace('Łó', 'Ló').replace('ź', 'z'), 'latin1');
  const { code, stderr } = await convertTable(latin);
  expect(code).toBe(1);
  expect(stderr).toContain(
    '"CSV UTF-8" in Excel, or convert it with iconv -f WINDOWS-1252 -t UTF-8\n',
  );
  const [line = ''] = (await convertTable(table)).lines;
  expect(line).not.toContain('undefined');
  const store = JSON.parse(line);
  expect(store.slug).toMatch(/^grosse-aero-lodz-/);
  expect(store.geo.main.point).toEqual({ lat: null, lng: null });
});

it('GeoJSON becomes stores by points and outlines; hours that depend on the date are told', async () => {
  const { stores, stderr } = await convertExample('geojson', 'shops.geojson');
  expect(stores.map(({ id, geo }) => [id, geo.main.point])).toEqual([
    [keyed('node/4711'), { lat: 51.4495, lng: -2.5967 }],
    [keyed('way/815'), { lat: 50.7236, lng: -3.5275 }],
  ]);
  expect(stderr).toMatch(/\n {2}(?:node|way)\/\d+: Mo-Sa 07:00-24:00; PH off\n/);
});

it('documents become stores by $oid, $date and numbers, with lists in one order', async () => {
  const { stores, hours } = await convertExample('documents', 'shops.documents.ndjson');
  expect(stores.map(({ id }) => id)).toEqual(['5f2b8c0d9e1a4b3c7d6e5f41', keyed('B-0018')]);
  expect(hours[0]).toEqual(['1 07:00-00:00', '6 10:00-16:00']);
  const [{ from, to }] = stores[0].temporal.schedule.closedRanges;
  expect([from, to]).toEqual(['2026-12-24T00:00:00.000Z', '2026-12-31T00:00:00.000Z']);
});
