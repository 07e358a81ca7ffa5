/** `--defaults FILE`: what the stores of an export do not have is taken from one partial store. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { MINIMAL_STORE } from '../../fixtures/example-stores.ts';
import { ndjson, storeWith } from '../support/faulty-sources.ts';
import { useSnapshotTool } from '../support/snapshot-tool.ts';

const tool = useSnapshotTool();
const { id: _, slug: __, geo: ___, ...SHARED } = MINIMAL_STORE;

let source = '';
let defaults = '';

beforeEach(() => {
  source = join(tool.folder, 'export.ndjson');
  defaults = join(tool.folder, 'defaults.json');
});

const writeStores = (...stores: unknown[]) => writeFile(source, ndjson(stores));
const writeDefaults = (value: unknown) => writeFile(defaults, JSON.stringify(value, null, 2));

async function run(command: string, ...args: string[]) {
  return tool.snapshot([command, '--source', source, '--defaults', defaults, ...args]);
}

/** What a command with `--json` says. */
async function data(command: string, ...args: string[]) {
  return JSON.parse((await run(command, ...args, '--json')).stdout);
}

/** Store `number` as it is published, in its default language. */
async function published(number: number) {
  expect(await run('publish', '--force')).toMatchObject({ code: 0 });
  const shown = await tool.snapshot(['inspect', '--store', `store-${number}`, '--json']);
  return JSON.parse(shown.stdout);
}

describe('what a store does not have', () => {
  it('is taken from the defaults, whole fields and parts of objects, and counted', async () => {
    await writeStores(
      storeWith(1, { contact: undefined, 'modules.delivery.enabled': undefined }),
      storeWith(2, { contact: undefined }),
      storeWith(3, {}),
    );
    await writeDefaults(SHARED);
    const counts =
      '\nTaken from the defaults:\n  2 stores: contact\n  1 store: modules.delivery.enabled\n';
    const found = await run('validate');
    expect(found).toEqual({
      code: 0,
      stdout: `${source}: 3 stores, no fault\n${counts}`,
      stderr: '',
    });
    const out = join(tool.folder, 'out');
    for (const args of [['build', '--out', out], ['diff'], ['publish']]) {
      const { code, stdout } = await run(...(args as [string]));
      expect([code, stdout]).toEqual([0, expect.stringContaining(counts)]);
    }
    const taken = [
      { path: 'contact', stores: 2 },
      { path: 'modules.delivery.enabled', stores: 1 },
    ];
    expect((await data('validate')).defaults).toEqual(taken);
    for (const args of [['build', '--out', out], ['diff'], ['publish']]) {
      expect((await data(...(args as [string]))).validation.defaults).toEqual(taken);
    }
  });

  it('is nothing that it has: null, an empty list, another text', async () => {
    const row = { id: 'a', day: '1', from: '09:00', to: '18:00', open: true };
    await writeStores(
      storeWith(1, {
        'reviews.external': null,
        'profile.verticales': [],
        'temporal.schedule.openingHours': [row],
        'profile.description': { fr: 'Magasin' },
      }),
    );
    const external = { rating: 4, total: 3, placeId: '', reviews: [], mapsUrl: '' };
    await writeDefaults({
      reviews: { external: { ...external, updatedAt: '2026-01-01T00:00:00Z' } },
      profile: { name: 'Shop', verticales: ['SKI'], description: { en: 'Shop' } },
      temporal: {
        schedule: {
          openingHours: [
            { ...row, id: 'b' },
            { ...row, id: 'c' },
          ],
        },
      },
    });
    expect((await data('validate')).defaults).toEqual([
      { path: 'profile.description.en', stores: 1 },
    ]);
    expect(await published(1)).toMatchObject({
      reviews: { external: null },
      profile: { name: 'Store 1', verticales: [], description: 'Magasin' },
      temporal: { schedule: { openingHours: [row] } },
    });
  });

  it('is still a fault where the defaults have nothing for it either', async () => {
    await writeStores(storeWith(1, { contact: undefined, pageUrl: undefined }));
    await writeDefaults({ contact: SHARED.contact });
    const { defaults: taken, faultGroups } = await data('validate');
    expect(taken).toEqual([{ path: 'contact', stores: 1 }]);
    expect(faultGroups).toEqual([{ kind: 'missing_field', path: 'pageUrl', count: 1 }]);
    await writeDefaults({});
    expect((await run('validate')).stdout).toContain('\nNo store took a default.\n');
  });
});

describe('a file of defaults', () => {
  it('with faults is refused before the stores are read, each in one sentence', async () => {
    await writeFile(source, 'no stores');
    await writeDefaults({
      id: '5f2b8c0d9e1a4b3c7d6e5f40',
      slug: 'shop',
      geo: {},
      colour: 'red',
      profile: { name: 7, description: { en: 'A\0B' } },
      temporal: { schedule: { openingHours: [{ day: '1', from: '09:00', to: '18:00' }] } },
    });
    const { code, stderr } = await run('publish');
    expect(code).toBe(1);
    const own = 'expected no such key: each store of the export has its own';
    expect(stderr).toBe(
      [
        `error: defaults "${defaults}" have 8 faults, nothing was read [faulty_defaults]`,
        '',
        `  id  "5f2b8c0d9e1a4b3c7d6e5f40": ${own}`,
        `  slug  "shop": ${own}`,
        `  geo  {}: ${own}`,
        '  profile.name  7: expected a string, in quotes',
        '  temporal.schedule.openingHours.0.id  is missing: expected a string',
        '  temporal.schedule.openingHours.0.open  is missing: expected true or false',
        '  colour  "red": expected no such key',
        '  profile.description.en: expected no NUL and no half of a surrogate pair: many readers refuse the answer',
        '',
      ].join('\n'),
    );
  });

  it.each([
    ['{"profile": {"name": "a", "name": "b"}}', 'profile.name: expected each key once'],
    ['[{}]', 'array of 1: expected an object'],
    ['{"pageUrl": "x"', 'expected JSON: '],
    [new Uint8Array([0x22, 0xff, 0x22]), 'expected JSON: The encoded data was not valid'],
    ['{"__proto__": {"contact": {}}}', '__proto__  object with contact: expected no such key'],
    [
      '{"localization": {"default": "fr", "available": ["en"]}}',
      'localization.default  "fr": expected',
    ],
  ])('%s is refused', async (text, fault) => {
    await writeFile(defaults, text);
    const { code, stderr } = await run('validate');
    expect([code, stderr]).toEqual([1, expect.stringContaining(`\n  ${fault}`)]);
  });

  it('that is not there, or without an export to fill, is wrong usage', async () => {
    expect(await run('validate')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`cannot read defaults "${defaults}": no such file`),
    });
    for (const command of ['publish', 'diff']) {
      const args = [command, '--snapshot', tool.folder, '--defaults', defaults];
      expect(await tool.snapshot(args)).toMatchObject({
        code: 2,
        stderr: expect.stringContaining(
          "'--defaults <file>' cannot be used with option '--snapshot",
        ),
      });
    }
  });
});
