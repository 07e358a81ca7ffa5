/** The tiles of the map below the stores, which lie beside the page. */
import { addProtocol } from 'maplibre-gl';

const PROTOCOL = 'basemap';

/** Addresses as the style has them; MapLibre puts numbers in the braces. */
export const WORLD_TILE = `${PROTOCOL}://world`;
export const FINE_TILES = `${PROTOCOL}://{x}-{y}`;

/**
 * Has MapLibre load the tiles. Those that hold only sea were never cut, and are not asked for.
 * @param list address of the list of tiles, which names the address of each
 */
export function serveBasemap(list: string): void {
  const addresses = loadAddresses(list);
  addProtocol(PROTOCOL, async ({ url }, { signal }) => {
    const address = (await addresses).get(url.slice(`${PROTOCOL}://`.length));
    if (address === undefined) return { data: new ArrayBuffer(0) };
    return { data: await (await fetchGood(address, signal)).arrayBuffer() };
  });
}

async function loadAddresses(list: string): Promise<ReadonlyMap<string, string>> {
  const answer = await fetchGood(list, null);
  return new Map(Object.entries<string>(await answer.json()));
}

async function fetchGood(address: string, signal: AbortSignal | null): Promise<Response> {
  const response = await fetch(address, { signal });
  if (!response.ok) throw new Error(`${address}: ${response.status}`);
  return response;
}
