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
import { chooseTowns, type TownFeature } from './towns.ts';
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

type Layers = Readonly<Record<string, GeoJSON>>;

/** Files by the paths at which they are served, and the paths of lists by their names. */
export interface Basemap {
  readonly files: ReadonlyMap<string, Uint8Array>;
  readonly lists: ReadonlyMap<string, string>;
}

export function buildBasemap(): Basemap {
  const towns = chooseTowns();
  const named = (from: number, to: number) =>
    towns.filter(({ properties: { zoom } }) => from <= zoom && zoom < to);
  const coarse = layersOf('50m', named(0, FINE_ZOOM));
  const fine = layersOf('10m', named(0, SMALL_TOWN_ZOOM));
  const small = { towns: collection(named(SMALL_TOWN_ZOOM, Number.POSITIVE_INFINITY)) };
  const tiles = new Map([
    ...COARSE_ZOOMS.flatMap((zoom) => [...cutTiles('world', coarse, zoom, 1)]),
    ...cutTiles('world', fine, FINE_ZOOM),
    ...cutTiles('small', small, FINE_ZOOM),
  ]);
  const pieces = [...townPieces()].map(
    ([letters, text]) => [letters, new TextEncoder().encode(text)] as const,
  );
  const files = new Map<string, Uint8Array>();
  const lists = new Map([
    [TILE_LIST, addFiles(files, 'map-tiles-*.pbf', TILE_LIST, tiles)],
    [TOWN_LIST, addFiles(files, 'map-towns-*.txt', TOWN_LIST, new Map(pieces))],
  ]);
  return { files, lists };
}

/** Adds files of one kind, and their list. Returns the path of the list. */
function addFiles(
  files: Map<string, Uint8Array>,
  pattern: string,
  listName: string,
  contents: ReadonlyMap<string, Uint8Array>,
): string {
  const ordered = [...contents.values()];
  const path = hashedPath(pattern, Buffer.concat(ordered));
  for (const [index, bytes] of ordered.entries()) files.set(path.replace('*', `${index}`), bytes);
  const list = Buffer.from(JSON.stringify({ path, names: [...contents.keys()] }));
  const listPath = hashedPath(listName, list);
  files.set(listPath, list);
  return listPath;
}

const layersOf = (detail: '50m' | '10m', towns: TownFeature[]): Layers => ({
  ...readNaturalEarth(detail),
  ...readWaters(detail === '10m'),
  towns: collection(towns),
});

/**
 * Cuts every tile of `zoom` that holds anything.
 * @param source what the names of tiles begin with
 * @param simplified 1: without the detail that cannot be seen at this zoom
 */
function cutTiles(
  source: 'world' | 'small',
  layers: Layers,
  zoom: number,
  simplified = 0,
): Map<string, Uint8Array> {
  const cutters = Object.entries(layers).map(([name, data]) => {
    const size = { extent: EXTENT, buffer: BUFFER, tolerance: TOLERANCE };
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
      const tile = fromGeojsonVt(found, { version: 2, extent: EXTENT });
      tiles.set(`${source}-${zoom}-${x}-${y}`, tile);
    }
  }
  return tiles;
}
