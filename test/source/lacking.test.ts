/**
 * What an export lacks: `--defaults FILE`, from which comes what its stores do not have, and `--expect-stores`, for a
 * source that was cut off at the end of a line looks whole.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { ndjson } from '../support/faulty-sources.ts';
import { useSnapshotTool } from '../support/snapshot-tool.ts';
import { storesFrom } from '../support/stores/compiled-stores.ts';
import { buildStore } from '../support/stores/store-builder.ts';

const tool = useSnapshotTool();
const { contact, modules } = buildStore(9);

let source = '';
let defaults = '';

beforeEach(() => {
  source = join(tool.folder, 'export.ndjson');
  defaults = join(tool.folder, 'defaults.json');
});

const run = (command: string, ...args: string[]) =>
  tool.snapshot([command, '--source', source, '--defaults', defaults, ...args]);

const json = async (command: string, ...args: string[]) =>
  (await tool.json([command, '--source', source, '--defaults', defaults, ...args])).data;

describe('what a store does not have', () => {
  it('is taken from the defaults, whole or in parts, and counted by every command', async () => {
    const lacking = { contact: undefined, 'modules.delivery.enabled': undefined };
    const stores = [buildStore(1, lacking), buildStore(2, { contact: undefined }), buildStore(3)];
    await writeFile(source, ndjson(stores));
    await writeFile(defaults, JSON.stringify({ contact, modules }));
    const counts =
      'Taken from the defaults:\n  2 stores: contact\n  1 store: modules.delivery.enabled\n';
    expect(await run('validate')).toEqual({
      code: 0,
      stdout: `${source}: 3 stores, no fault\n\n${counts}`,
      stderr: '',
    });
    const taken = [
      { path: 'contact', stores: 2 },
      { path: 'modules.delivery.enabled', stores: 1 },
    ];
    expect(await json('validate')).toMatchObject({ defaults: taken });
    const out = join(tool.folder, 'out');
    const commands: [string, ...string[]][] = [
      ['build', '--out', out],
      ['diff'],
      ['publish', '--dry-run'],
    ];
    for (const command of commands) {
      expect(await json(...command)).toMatchObject({ validation: { defaults: taken } });
    }
    expect((await run('publish')).stdout).toContain(counts);
  });

  it('is nothing that it has: null, an empty list, a list, a text in another language', async () => {
    const row = { id: 'a', day: '1', from: '09:00', to: '18:00', open: true };
    const own = {
      'reviews.external': null,
      'profile.verticales': [],
      'profile.description': { fr: 'Magasin' },
      'temporal.schedule.openingHours': [row],
    };
    await writeFile(source, ndjson([buildStore(1, own)]));
    const profile = { name: 'Shop', verticales: ['SKI'], description: { en: 'Shop' } };
    const schedule = { openingHours: [row, { ...row, id: 'b' }] };
    const external = { rating: 4, total: 3 };
    await writeFile(
      defaults,
      JSON.stringify({ profile, temporal: { schedule }, reviews: { external } }),
    );
    const [taken] = (await json('publish')).validation.defaults;
    expect(taken).toEqual({ path: 'profile.description.en', stores: 1 });
    expect(
      JSON.parse((await tool.snapshot(['inspect', '--store', 'store-1'])).stdout),
    ).toMatchObject({
      profile: { name: 'Store 1', verticales: [], description: 'Magasin' },
      temporal: { schedule: { openingHours: [row] } },
      reviews: { external: null },
    });
  });
});

describe('a file of defaults', () => {
  it('is refused before the stores are read, with all its faults', async () => {
    await writeFile(source, 'no stores');
    const profile = { name: 7, description: { en: 'A\0B' } };
    const schedule = { openingHours: [{ id: 'a', day: '1', from: '09:00', to: '18:00' }] };
    const faulty = { id: 'a', slug: 'b', geo: {}, colour: 'red', profile, temporal: { schedule } };
    await writeFile(defaults, JSON.stringify(faulty));
    const { code, stderr } = await run('publish');
    expect(code).toBe(1);
    expect(stderr).toContain('have 7 faults, nothing was read [faulty_defaults]\n');
    expect(stderr).toContain('{}: expected no such key\n');
    expect(stderr.match(/^\w+ {2}\S+(?= \()/gm)).toEqual([
      'wrong_type  profile.name',
      'missing_field  temporal.schedule.openingHours.*.open',
      ...['id', 'slug', 'geo', 'colour'].map((key) => `unknown_key  ${key}`),
      'unreadable_text  profile.description.en',
    ]);
  });

  it.each([
    ['{"profile": {"name": "a", "name": "b"}}', '      expected each key once'],
    ['[{}]', '      array of 1: expected object'],
    ['{"pageUrl": "x"', '      {"pageUrl": "x": expected JSON: '],
  ])('%s is refused', async (text, fault) => {
    await writeFile(defaults, text);
    expect((await run('validate')).stderr).toContain(`\n${fault}`);
  });

  it('that is not there, or without an export to fill, is wrong usage', async () => {
    const missing = `cannot read defaults "${defaults}": no such file`;
    expect(await run('validate')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(missing),
    });
    const args = ['publish', '--snapshot', tool.folder, '--defaults', defaults];
    expect(await tool.snapshot(args)).toMatchObject({ code: 2, stdout: '' });
  });
});

const [WHOLE, CUT] = [30, 28].map((count) => `${ndjson(storesFrom(1, count))}\n`) as [
  string,
  string,
];

const expecting = (count: string) => ['--source', source, '--expect-stores', count];

it.each(['validate', 'build', 'publish', 'publish --skip-invalid', 'diff'])(
  'a file that was cut off at the end of a line is refused by %s',
  async (command) => {
    await writeFile(source, CUT);
    const more = command === 'build' ? ['--out', join(tool.folder, 'out')] : [];
    const { code, data } = await tool.json([...command.split(' '), ...more, ...expecting('30')]);
    const faultGroups = [{ kind: 'other_store_count', count: 1 }];
    expect({ ...(data.error ?? data), code }).toMatchObject({ code: 1, faultGroups });
    expect((await tool.json(['list'])).data.entries).toEqual([]);
  },
);

describe('what is expected', () => {
  it.each([
    ['the number of stores', WHOLE, '30', 0, /: 30 stores, no fault\n$/],
    [
      'more stores',
      CUT,
      '30',
      1,
      /\n\nother_store_count \(1\): another number of stores than expected\n {2}the whole source\n {6}28: expected 30 stores, as --expect-stores says: the source may be cut off\n$/,
    ],
    [
      'the number with the faulty ones',
      `${WHOLE}{\n`,
      '31',
      1,
      /: 31 stores, 1 fault in 1 store\n/,
    ],
    ['fewer stores', WHOLE, '29', 1, / 30: expected 29 stores, as --expect-stores says\n$/],
    ['no number', WHOLE, '3.5', 2, /--expect-stores/],
  ])('may be %s', async (_what, content, expected, code, words) => {
    await writeFile(source, content);
    const told = await tool.snapshot(['validate', ...expecting(expected)]);
    expect(told.code).toBe(code);
    expect(told.stdout + told.stderr).toMatch(words);
  });
});
