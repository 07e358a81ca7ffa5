/**
 * The map below the stores, cut into vector tiles once, when the pages are built: it needs no tile
 * host, and works offline.
 *
 *     map-<zoom>-<x>-<y>.pbf   the tiles of zooms 1 to 4, coarse, and of zoom 5, fine, for all others;
 *                         those that hold only sea are left out
 *     map-towns-<x>-<y>.pbf   the towns of the 16 tiles of zoom 7 in such a tile: 16 lengths as u32,
 *                         little-endian, row by row, and the tiles one after another. Whole, a tile of
 *                         zoom 5 would have more names than MapLibre takes in one.
 *     map-tiles.json      `{"1-0-0": …, "towns-<x>-<y>": …}`: the address of each
 *     map-towns.txt       towns for the search, a line each (`browser/towns.ts` reads it)
 */
import { GeoJSONVT, type GeoJSONVTTile } from '@maplibre/geojson-vt';
import { fromGeojsonVt } from '@maplibre/vt-pbf';
import type { GeoJSON } from 'geojson';
import { hashedPath } from '../../hashed-path.ts';
import { collection, readNaturalEarth, readWaters } from './natural-earth.ts';
import { chooseTowns, listTowns, type TownFeature } from './towns.ts';

export const TILE_LIST = 'map-tiles.json';
export const TOWN_LIST = 'map-towns.txt';

/** Zooms of the coarse tiles. In a single tile the land has more corners than MapLibre can draw. */
const COARSE_ZOOMS = [1, 2, 3, 4];

/** The one zoom of the fine tiles: 1,024 of them would cover the world. */
const FINE_ZOOM = 5;

/** The one zoom of the towns, and how many of its tiles lie along an edge of a fine one. */
const TOWN_ZOOM = 7;
const PER_EDGE = 2 ** (TOWN_ZOOM - FINE_ZOOM);

/** Units along an edge of a tile; MapLibre itself counts in so many. At zoom 5 one is 150 m. */
const EXTENT = 8192;

/** Units beyond the edges, so that outlines and names are not cut where tiles meet. */
const BUFFER = 128;

type Layers = Readonly<Record<string, GeoJSON>>;

/** All files of the map by their names. */
export async function buildBasemap(): Promise<Map<string, Uint8Array>> {
  const towns = chooseTowns();
  const coarse = layersOf('50m', towns, FINE_ZOOM - 1);
  const tiles = new Map([
    ...COARSE_ZOOMS.flatMap((zoom) => [...cutTiles(coarse, zoom, 1)]),
    ...cutTiles(layersOf('10m', towns, TOWN_ZOOM), FINE_ZOOM),
    ...joinTowns(cutTiles({ towns: collection(towns) }, TOWN_ZOOM)),
  ]);
  const files = new Map<string, Uint8Array>();
  const addresses: Record<string, string> = {};
  for (const [tile, bytes] of tiles) {
    const name = `map-${tile}.pbf`;
    files.set(name, bytes);
    addresses[tile] = hashedPath(name, bytes);
  }
  const encoder = new TextEncoder();
  files.set(TOWN_LIST, encoder.encode(listTowns()));
  return files.set(TILE_LIST, encoder.encode(JSON.stringify(addresses)));
}

/** @param last zoom at which towns are named that are on the map */
function layersOf(detail: '50m' | '10m', towns: TownFeature[], last: number): Layers {
  const named = towns.filter(({ properties }) => properties.zoom <= last);
  return { ...readNaturalEarth(detail), ...readWaters(), towns: collection(named) };
}

/** Puts the tiles of towns that lie in one fine tile into one file. */
function joinTowns(tiles: ReadonlyMap<string, Uint8Array>): Map<string, Uint8Array> {
  const joined = new Map<string, Uint8Array>();
  for (let x = 0; x < 2 ** FINE_ZOOM; x++) {
    for (let y = 0; y < 2 ** FINE_ZOOM; y++) {
      const parts = Array.from({ length: PER_EDGE ** 2 }, (_, place) => {
        const column = x * PER_EDGE + (place % PER_EDGE);
        const row = y * PER_EDGE + Math.floor(place / PER_EDGE);
        return tiles.get(`${TOWN_ZOOM}-${column}-${row}`) ?? new Uint8Array();
      });
      const lengths = Uint32Array.from(parts, ({ length }) => length);
      if (lengths.every((length) => length === 0)) continue;
      const bytes = Buffer.concat([new Uint8Array(lengths.buffer), ...parts]);
      joined.set(`towns-${x}-${y}`, new Uint8Array(bytes));
    }
  }
  return joined;
}

/**
 * Every tile of `zoom` that holds anything, by its name.
 * @param simplified 1: without the detail that cannot be seen at this zoom
 */
function cutTiles(layers: Layers, zoom: number, simplified = 0): Map<string, Uint8Array> {
  const cutters = Object.entries(layers).map(([name, data]) => {
    const size = { extent: EXTENT, buffer: BUFFER, tolerance: 1 };
    // A zoom of the index itself: tiles between it and the one wanted are not kept.
    const depth = { maxZoom: zoom + simplified, indexMaxZoom: zoom, indexMaxPoints: 0 };
    return { name, cutter: new GeoJSONVT(data, { ...size, ...depth }) };
  });
  const tiles = new Map<string, Uint8Array>();
  for (let x = 0; x < 2 ** zoom; x++) {
    for (let y = 0; y < 2 ** zoom; y++) {
      const found: Record<string, GeoJSONVTTile> = {};
      for (const { name, cutter } of cutters) {
        const tile = cutter.getTile(zoom, x, y);
        if (tile && tile.features.length > 0) found[name] = tile;
      }
      if (Object.keys(found).length === 0) continue;
      tiles.set(`${zoom}-${x}-${y}`, fromGeojsonVt(found, { version: 2, extent: EXTENT }));
    }
  }
  return tiles;
}
