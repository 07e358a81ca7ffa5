/** The map below the stores of `/explore`: its tiles, and what crosses the edge of the world. */
import { glob, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { FILE_PREFIX } from '../../src/http/paths.ts';
import { SITE_FOLDER } from '../../web/build/site-folder.ts';
import { closedRings } from '../../web/explore/basemap/antimeridian.ts';
import STYLE from '../../web/explore/browser/map/style.json' with { type: 'json' };
import {
  FINE_ZOOM,
  MAX_ZOOM,
  MIN_ZOOM,
  SMALL_TOWN_ZOOM,
} from '../../web/explore/browser/map/zooms.ts';
import { hashedPath } from '../../web/hashed-path.ts';

describe('the tiles', () => {
  const folder = join(SITE_FOLDER, FILE_PREFIX);

  /** Reads the files of a kind by their names, as its list has them. */
  async function listed(kind: 'tiles' | 'towns'): Promise<Map<string, string>> {
    const [list] = await Array.fromAsync(glob(join(folder, `map-${kind}-*.json`)));
    const { path, names } = JSON.parse(await readFile(`${list}`, 'utf8'));
    const paths: string[] = names.map((_: string, index: number) => path.replace('*', `${index}`));
    const contents = await Promise.all(paths.map((each) => readFile(join(SITE_FOLDER, each))));
    expect(path).toBe(hashedPath(basename(path).replace(/-\w+\./, '.'), Buffer.concat(contents)));
    return new Map(contents.map((content, index) => [names[index], String(content)]));
  }

  it('are all listed, hold the towns of their places, and leave the open sea out', async () => {
    const [tiles, towns] = [await listed('tiles'), await listed('towns')];
    const files = await Array.fromAsync(glob(join(folder, 'map-*')));
    expect(files).toHaveLength(tiles.size + towns.size + 2);
    // Tile 32-22 of zoom 6 is north-eastern France, 10-30 open sea in the Pacific.
    expect(tiles.get('world-3-4-2')).toContain('Paris');
    expect(tiles.get('world-6-35-21')).toContain('Łódź');
    expect(tiles.get('small-6-32-22')).toContain('Montreuil');
    expect(tiles.get('world-6-32-22')).not.toContain('Montreuil');
    for (const tile of ['world-3-4-2', 'world-6-33-22']) {
      for (const layer of ['land', 'lakes', 'rivers', 'countries', 'towns']) {
        expect(tiles.get(tile), tile).toContain(layer);
      }
    }
    expect(tiles.has('world-6-10-30')).toBe(false);
  });

  it('are cut for the zooms at which the style shows them', () => {
    expect(STYLE.sources).toMatchObject({
      world: { minzoom: MIN_ZOOM, maxzoom: FINE_ZOOM },
      small: { minzoom: FINE_ZOOM, maxzoom: FINE_ZOOM },
      stores: { clusterMaxZoom: MAX_ZOOM },
    });
    const names = STYLE.layers.find(({ id }) => id === 'small-towns');
    expect(names).toMatchObject({ minzoom: SMALL_TOWN_ZOOM });
  });
});

describe('an outline across the antimeridian', () => {
  const ring = (points: string) => points.split(' ').map((point) => point.split(',').map(Number));
  const coast = '10,-70 20,-70 20,-75 10,-70';

  it.each([
    [
      'goes on beyond the edge of the map',
      ['179,10 -179,10 -179,12 179,12 179,10'],
      '179,10 181,10 181,12 179,12 179,10',
    ],
    [
      'is closed along the pole when it goes around it',
      ['-170,-70 0,-70 170,-70 -170,-70'],
      '-170,-70 0,-70 170,-70 190,-70 190,-90 -170,-90 -170,-70',
    ],
    ['is no hole in a line along the pole', ['-180,-90 180,-90 -180,-90', coast], coast],
  ])('%s', (_what, rings, expected) => {
    expect(closedRings(rings.map(ring))).toEqual([ring(expected)]);
  });
});
