/** The map below the stores of `/explore`: its tiles, and what crosses the edge of the world. */
import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type StyleSpecification, validateStyleMin } from '@maplibre/maplibre-gl-style-spec';
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

it('the tiles are all listed, hold the towns of their places, and leave the open sea out', async () => {
  const folder = join(SITE_FOLDER, FILE_PREFIX);
  const [list] = await Array.fromAsync(glob(join(folder, 'map-tiles-*.json')));
  const { path, names } = JSON.parse(await readFile(`${list}`, 'utf8'));
  const contents: Buffer[] = await Promise.all(
    names.map((_: string, index: number) =>
      readFile(join(SITE_FOLDER, path.replace('*', `${index}`))),
    ),
  );
  const files = await Array.fromAsync(glob(join(folder, 'map-tiles-*.pbf')));
  expect(files).toHaveLength(names.length);
  expect(path).toBe(hashedPath('map-tiles-*.pbf', Buffer.concat(contents)));
  const tile = (name: string) => `${contents[names.indexOf(name)]}`;
  const layers = ['land', 'lakes', 'rivers', 'countries', 'towns'];
  const held = {
    'world-3-4-2': [...layers, 'Paris'],
    'world-6-33-22': layers,
    'world-6-35-21': ['Łódź'],
    'small-6-32-22': ['Montreuil'],
  };
  for (const [name, words] of Object.entries(held)) {
    expect(words.filter((word) => !tile(name).includes(word))).toEqual([]);
  }
  // Tile 32-22 of zoom 6 is north-eastern France, 10-30 open sea in the Pacific.
  expect(tile('world-6-32-22')).not.toContain('Montreuil');
  expect(names).not.toContain('world-6-10-30');
});

it('the tiles are drawn by a style that MapLibre takes, at the zooms that they are cut for', () => {
  expect(validateStyleMin(STYLE as StyleSpecification)).toEqual([]);
  expect(STYLE.sources).toMatchObject({
    world: { minzoom: MIN_ZOOM, maxzoom: FINE_ZOOM },
    small: { minzoom: FINE_ZOOM, maxzoom: FINE_ZOOM },
    stores: { clusterMaxZoom: MAX_ZOOM },
  });
  const names = STYLE.layers.find(({ id }) => id === 'small-towns');
  expect(names).toMatchObject({ minzoom: SMALL_TOWN_ZOOM });
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
