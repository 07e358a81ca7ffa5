/** The map below the stores of `/explore`: its tiles, and what crosses the edge of the world. */
import { beforeAll, describe, expect, it } from 'vitest';
import { acrossAntimeridian } from '../../web/explore/basemap/antimeridian.ts';
import { buildBasemap, TILE_LIST } from '../../web/explore/basemap/build-basemap.ts';

describe('the tiles', () => {
  let files: ReadonlyMap<string, Uint8Array>;

  beforeAll(async () => {
    files = await buildBasemap();
  });

  it('are all listed, hold the towns of their places, and leave the open sea out', () => {
    const list = new TextDecoder().decode(files.get(TILE_LIST));
    const addresses: Record<string, string> = JSON.parse(list);
    const names = Object.keys(addresses).map((tile) => `map-${tile}.pbf`);
    expect([...names, TILE_LIST].sort()).toEqual([...files.keys()].sort());
    const read = (tile: string) => new TextDecoder().decode(files.get(`map-${tile}.pbf`));
    // Tile 16-11 of zoom 5 is north-eastern France, 5-15 open sea in the Pacific.
    expect(read('world-3-4-2')).toContain('Paris');
    expect(read('towns-16-11')).toContain('Montreuil');
    expect(read('towns-17-10')).toContain('Łódź');
    expect(read('16-11')).not.toContain('Montreuil');
    expect(addresses['5-15']).toBeUndefined();
  });

  it('have files of towns that begin with the length of each of 16 tiles', () => {
    for (const [name, bytes] of files) {
      if (!name.startsWith('map-towns-')) continue;
      const lengths = new DataView(bytes.buffer, bytes.byteOffset, 64);
      let sum = 64;
      for (let place = 0; place < 16; place++) sum += lengths.getUint32(4 * place, true);
      expect(sum, name).toBe(bytes.byteLength);
    }
  });
});

describe('an outline across the antimeridian', () => {
  it('goes on beyond the edge of the map', () => {
    const coordinates = [
      [
        [179, 10],
        [-179, 10],
        [-179, 12],
        [179, 12],
        [179, 10],
      ],
    ];
    expect(acrossAntimeridian({ type: 'Polygon', coordinates })).toEqual({
      type: 'Polygon',
      coordinates: [
        [
          [179, 10],
          [181, 10],
          [181, 12],
          [179, 12],
          [179, 10],
        ],
      ],
    });
  });

  it('is closed along the pole when it goes around it', () => {
    const coordinates = [
      [
        [-170, -70],
        [0, -70],
        [170, -70],
        [-170, -70],
      ],
    ];
    const closed = acrossAntimeridian({ type: 'Polygon', coordinates });
    expect(closed).toEqual({
      type: 'Polygon',
      coordinates: [
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
    });
  });
});
