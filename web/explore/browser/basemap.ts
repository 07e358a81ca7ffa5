/** The tiles of the map below the stores, which lie beside the page. */
import { addProtocol } from 'maplibre-gl';

const PROTOCOL = 'basemap';

/** Addresses as the style has them; MapLibre puts numbers in the braces. */
export const WORLD_TILES = `${PROTOCOL}://{z}-{x}-{y}`;
export const TOWN_TILES = `${PROTOCOL}://town-{x}-{y}`;

/** Tiles of towns along an edge of the file that holds them. */
const PER_EDGE = 4;

/**
 * Has MapLibre load the tiles. Those that hold only sea were never cut, and are not asked for.
 * @param list address of the list of tiles, which names the address of each
 */
export function serveBasemap(list: string): void {
  const addresses = fetchGood(list).then(
    async (answer) => new Map(Object.entries((await answer.json()) as Record<string, string>)),
  );
  // A file holds neighbours, which are asked for at the same time.
  const files = new Map<string, Promise<ArrayBuffer>>();
  const load = async (name: string): Promise<ArrayBuffer> => {
    const address = (await addresses).get(name);
    if (address === undefined) return new ArrayBuffer(0);
    return (await fetchGood(address)).arrayBuffer();
  };
  addProtocol(PROTOCOL, async ({ url }) => {
    const name = url.slice(`${PROTOCOL}://`.length);
    const [kind, x, y] = name.split('-');
    if (kind !== 'town') return { data: await load(name) };
    const [column, row] = [Number(x), Number(y)];
    const parent = `towns-${Math.floor(column / PER_EDGE)}-${Math.floor(row / PER_EDGE)}`;
    const file = files.get(parent) ?? load(parent);
    files.set(parent, file);
    file.catch(() => files.delete(parent));
    return { data: tileWithin(await file, (row % PER_EDGE) * PER_EDGE + (column % PER_EDGE)) };
  });
}

/** A tile out of a file that begins with the lengths of all: a copy, for MapLibre gives it away. */
function tileWithin(file: ArrayBuffer, place: number): ArrayBuffer {
  if (file.byteLength === 0) return new ArrayBuffer(0);
  const lengths = new Uint32Array(file, 0, PER_EDGE ** 2);
  const [length = 0] = lengths.slice(place);
  const start = lengths.slice(0, place).reduce((sum, each) => sum + each, lengths.byteLength);
  return file.slice(start, start + length);
}

async function fetchGood(address: string): Promise<Response> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address}: ${response.status}`);
  return response;
}
