/**
 * The map below the stores, cut into vector tiles once, when the pages are built: it needs no tile
 * host, and works offline. Its files come in two kinds, each with a list of its own:
 *
 *     map-tiles-<n>-<hash>.pbf   `world-<zoom>-<x>-<y>`: coarse at zooms 1 to 5, fine at zoom 6, for all others;
 *                                `small-<zoom>-<x>-<y>`: the towns that are named from `SMALL_TOWN_ZOOM` on
 *     map-tiles-<hash>.json      tiles that hold only sea are left out
 *     map-towns-<n>-<hash>.txt   towns for the search, in pieces by their letters (`search-towns.ts` draws them)
 *     map-towns-<hash>.json
 *
 * A list is `{"path": "/files/map-tiles-*-<hash>.pbf", "names": ["world-1-0-0", …]}`: the index of a name takes
 * the place of the star.
 */
import { GeoJSONVT, type GeoJSONVTTile } from '@maplibre/geojson-vt';
import { fromGeojsonVt } from '@maplibre/vt-pbf';
import type { GeoJSON } from 'geojson';
import { hashedPath } from '../../hashed-path.ts';
import { FINE_ZOOM, MIN_ZOOM, SMALL_TOWN_ZOOM } from '../browser/map/zooms.ts';
import { collection, readNaturalEarth } from './natural-earth.ts';
import { townPieces } from './search-towns.ts';
import { chooseTowns } from './towns.ts';
import { readWaters } from './waters.ts';

export const TILE_LIST = 'map-tiles.json';
export const TOWN_LIST = 'map-towns.json';

/** Zooms of the coarse tiles. In a single tile the land has more corners than MapLibre can draw. */
const COARSE_ZOOMS = Array.from({ length: FINE_ZOOM - MIN_ZOOM }, (_, index) => MIN_ZOOM + index);

/** Units along an edge of a tile; MapLibre itself counts in so many. At zoom 6 one is 75 m. */
const EXTENT = 8192;

/** Units by which a coarse outline may differ from its data: a third of a pixel. */
const TOLERANCE = 6;

/** Units beyond the edges, so that outlines and names are not cut where tiles meet. */
const BUFFER = 128;

/** Files by the paths at which they are served, and the paths of lists by their names. */
export interface Basemap {
  readonly files: ReadonlyMap<string, Uint8Array>;
  readonly lists: ReadonlyMap<string, string>;
}

export function buildBasemap(): Basemap {
  const shown = chooseTowns();
  const named = (from: number, to: number) =>
    collection(shown.filter(({ properties: { zoom } }) => from <= zoom && zoom < to));
  const coarse = { ...readNaturalEarth('50m'), ...readWaters(false), towns: named(0, FINE_ZOOM) };
  const fine = {
    ...readNaturalEarth('10m'),
    ...readWaters(true),
    towns: named(0, SMALL_TOWN_ZOOM),
  };
  const small = { towns: named(SMALL_TOWN_ZOOM, Number.POSITIVE_INFINITY) };
  const towns = Array.from(
    townPieces(),
    ([letters, text]) => [letters, Buffer.from(text)] as const,
  );
  const files = new Map<string, Uint8Array>();
  const lists = new Map([
    addFiles(files, TILE_LIST, 'map-tiles-*.pbf', [
      ...cutTiles('world', coarse, COARSE_ZOOMS),
      ...cutTiles('world', fine, [FINE_ZOOM]),
      ...cutTiles('small', small, [FINE_ZOOM]),
    ]),
    addFiles(files, TOWN_LIST, 'map-towns-*.txt', towns),
  ]);
  return { files, lists };
}

/** Adds files of one kind, and their list. Returns the name of the list, and its path. */
function addFiles(
  files: Map<string, Uint8Array>,
  listName: string,
  pattern: string,
  contents: readonly (readonly [string, Uint8Array])[],
): [string, string] {
  const path = hashedPath(pattern, Buffer.concat(contents.map(([, bytes]) => bytes)));
  for (const [index, [, bytes]] of contents.entries()) {
    files.set(path.replace('*', `${index}`), bytes);
  }
  const list = Buffer.from(JSON.stringify({ path, names: contents.map(([name]) => name) }));
  const listPath = hashedPath(listName, list);
  files.set(listPath, list);
  return [listName, listPath];
}

/**
 * Cuts every tile of these zooms that holds anything. Nearer than the finest one nothing is left out.
 * @param source what the names of tiles begin with
 */
function* cutTiles(
  source: 'world' | 'small',
  layers: Readonly<Record<string, GeoJSON>>,
  zooms: readonly number[],
): Generator<[string, Uint8Array]> {
  const size = { extent: EXTENT, buffer: BUFFER, tolerance: TOLERANCE };
  const depth = { maxZoom: FINE_ZOOM, indexMaxZoom: FINE_ZOOM - 1, indexMaxPoints: 0 };
  const cutters = Object.entries(layers).map(
    ([name, data]) => [name, new GeoJSONVT(data, { ...size, ...depth })] as const,
  );
  for (const zoom of zooms) {
    for (let x = 0; x < 2 ** zoom; x++) {
      for (let y = 0; y < 2 ** zoom; y++) {
        const found: Record<string, GeoJSONVTTile> = {};
        for (const [name, cutter] of cutters) {
          const tile = cutter.getTile(zoom, x, y);
          if (tile && tile.features.length > 0) found[name] = tile;
        }
        if (Object.keys(found).length === 0) continue;
        const tile = fromGeojsonVt(found, { version: 2, extent: EXTENT });
        yield [`${source}-${zoom}-${x}-${y}`, tile];
      }
    }
  }
}
