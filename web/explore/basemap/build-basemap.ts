/**
 * The map below the stores, cut into vector tiles once, when the pages are built: it needs no tile
 * host, and works offline.
 *
 *     map-<zoom>-<x>-<y>.pbf   the tiles of zooms 1 to 5, coarse, and of zoom 6, fine, for all others;
 *                         those that hold only sea are left out
 *     map-tiles.json      `{"1-0-0": …}`: the address of each
 *     map-towns-<n>.txt   towns for the search, in pieces (`search-towns.ts` draws them)
 *     map-towns.json      `{"mai": …}`: the address of each piece by its letters
 */
import { GeoJSONVT, type GeoJSONVTTile } from '@maplibre/geojson-vt';
import { fromGeojsonVt } from '@maplibre/vt-pbf';
import type { GeoJSON } from 'geojson';
import { hashedPath } from '../../hashed-path.ts';
import { collection, readNaturalEarth } from './natural-earth.ts';
import { townPieces } from './search-towns.ts';
import { chooseTowns, type TownFeature } from './towns.ts';
import { readWaters } from './waters.ts';

export const TILE_LIST = 'map-tiles.json';
export const TOWN_LIST = 'map-towns.json';

/** Zooms of the coarse tiles. In a single tile the land has more corners than MapLibre can draw. */
const COARSE_ZOOMS = [1, 2, 3, 4, 5];

/** The one zoom of the fine tiles. One of zoom 5 would have more names than MapLibre takes in one. */
const FINE_ZOOM = 6;

/** Units along an edge of a tile; MapLibre itself counts in so many. At zoom 6 one is 75 m. */
const EXTENT = 8192;

/** Units by which a coarse outline may differ from its data: a third of a pixel. */
const TOLERANCE = 6;

/** Units beyond the edges, so that outlines and names are not cut where tiles meet. */
const BUFFER = 128;

type Layers = Readonly<Record<string, GeoJSON>>;

/** All files of the map by their names. */
export async function buildBasemap(): Promise<Map<string, Uint8Array>> {
  const towns = chooseTowns();
  const early = towns.filter(({ properties }) => properties.zoom < FINE_ZOOM);
  const coarse = layersOf('50m', early);
  const tiles = new Map([
    ...COARSE_ZOOMS.flatMap((zoom) => [...cutTiles(coarse, zoom, 1)]),
    ...cutTiles(layersOf('10m', towns), FINE_ZOOM),
  ]);
  const files = new Map<string, Uint8Array>();
  const addFiles = (list: string, contents: Iterable<[string, string, Uint8Array]>) => {
    const addresses: Record<string, string> = {};
    for (const [key, name, bytes] of contents) {
      files.set(name, bytes);
      addresses[key] = hashedPath(name, bytes);
    }
    files.set(list, encoder.encode(JSON.stringify(addresses)));
  };
  addFiles(
    TILE_LIST,
    [...tiles].map(([tile, bytes]) => [tile, `map-${tile}.pbf`, bytes]),
  );
  const pieces = [...townPieces()];
  addFiles(
    TOWN_LIST,
    pieces.map(([letters, text], n) => [letters, `map-towns-${n}.txt`, encoder.encode(text)]),
  );
  return files;
}

const encoder = new TextEncoder();

const layersOf = (detail: '50m' | '10m', towns: TownFeature[]): Layers => ({
  ...readNaturalEarth(detail),
  ...readWaters(detail === '10m'),
  towns: collection(towns),
});

/**
 * Every tile of `zoom` that holds anything, by its name.
 * @param simplified 1: without the detail that cannot be seen at this zoom
 */
function cutTiles(layers: Layers, zoom: number, simplified = 0): Map<string, Uint8Array> {
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
      tiles.set(`${zoom}-${x}-${y}`, fromGeojsonVt(found, { version: 2, extent: EXTENT }));
    }
  }
  return tiles;
}
