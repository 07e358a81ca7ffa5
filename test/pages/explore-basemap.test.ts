/** The map below the stores of `/explore`: its tiles, and what crosses the edge of the world. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { FILE_PREFIX } from '../../src/http/paths.ts';
import { SITE_FOLDER } from '../../web/build/site-folder.ts';
import { acrossAntimeridian } from '../../web/explore/basemap/antimeridian.ts';
import { hashedPath } from '../../web/hashed-path.ts';

describe('the tiles', () => {
  /** By the names that the service has for them. */
  let files: ReadonlyMap<string, Buffer>;

  beforeAll(async () => {
    const folder = join(SITE_FOLDER, FILE_PREFIX);
    const names = (await readdir(folder)).filter((name) => name.startsWith('map-'));
    const contents = await Promise.all(names.map((name) => readFile(join(folder, name))));
    files = new Map(names.map((name, index) => [FILE_PREFIX + name, contents[index] as Buffer]));
  });

  it('are all listed, hold the towns of their places, and leave the open sea out', () => {
    const list = [...files].find(([path]) => /map-tiles-\w+\.json$/.test(path));
    const addresses: Record<string, string> = JSON.parse(String(list?.[1]));
    for (const [tile, path] of Object.entries(addresses)) {
      expect(path).toBe(hashedPath(`map-${tile}.pbf`, files.get(path) ?? Buffer.of()));
    }
    const towns = [...files].find(([path]) => /map-towns-\w+\.json$/.test(path));
    const pieces: Record<string, string> = JSON.parse(String(towns?.[1]));
    const listed = [...Object.values(addresses), ...Object.values(pieces), list?.[0], towns?.[0]];
    expect(listed.sort()).toEqual([...files.keys()].sort());
    const read = (tile: string) => String(files.get(addresses[tile] ?? ''));
    // Tile 32-22 of zoom 6 is north-eastern France, 10-30 open sea in the Pacific.
    expect(read('3-4-2')).toContain('Paris');
    expect(read('6-32-22')).toContain('Montreuil');
    expect(read('6-35-21')).toContain('Łódź');
    expect(read('5-16-11')).not.toContain('Montreuil');
    for (const tile of ['3-4-2', '6-33-22']) {
      for (const layer of ['land', 'lakes', 'rivers', 'countries', 'towns']) {
        expect(read(tile), tile).toContain(layer);
      }
    }
    expect(addresses['6-10-30']).toBeUndefined();
  });
});

describe('an outline across the antimeridian', () => {
  const POLE = [
    [-180, -90],
    [180, -90],
    [-180, -90],
  ];
  const COAST = [
    [10, -70],
    [20, -70],
    [20, -75],
    [10, -70],
  ];

  it.each([
    [
      'goes on beyond the edge of the map',
      [
        [
          [179, 10],
          [-179, 10],
          [-179, 12],
          [179, 12],
          [179, 10],
        ],
      ],
      [
        [
          [179, 10],
          [181, 10],
          [181, 12],
          [179, 12],
          [179, 10],
        ],
      ],
    ],
    [
      'is closed along the pole when it goes around it',
      [
        [
          [-170, -70],
          [0, -70],
          [170, -70],
          [-170, -70],
        ],
      ],
      [
        [
          [-170, -70],
          [0, -70],
          [170, -70],
          [190, -70],
          [190, -90],
          [-170, -90],
          [-170, -70],
        ],
      ],
    ],
    ['is no hole in a line along the pole', [POLE, COAST], [COAST]],
  ])('%s', (_what, coordinates, expected) => {
    const outline = acrossAntimeridian({ type: 'Polygon', coordinates });
    expect(outline).toEqual({ type: 'Polygon', coordinates: expected });
  });
});
