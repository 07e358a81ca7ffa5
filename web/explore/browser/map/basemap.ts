/** The tiles of the map below the stores, which lie beside the page. */
import { addProtocol } from 'maplibre-gl';

const PROTOCOL = 'basemap';

/** Their address as the style has it; MapLibre puts numbers in the braces. */
export const WORLD_TILES = `${PROTOCOL}://{z}-{x}-{y}`;

/**
 * Has MapLibre load the tiles. Those that hold only sea were never cut, and are not asked for.
 * @param list address of the list of tiles, which names the address of each
 */
export function serveBasemap(list: string): void {
  const addresses = fetchGood(list).then(
    (answer) => answer.json() as Promise<Record<string, string>>,
  );
  // Each tile tells that there is no list; until one asks, a missing one is no fault.
  addresses.catch(() => {});
  addProtocol(PROTOCOL, async ({ url }, { signal }) => {
    const address = (await addresses)[url.slice(`${PROTOCOL}://`.length)];
    const tile = address === undefined ? null : await fetchGood(address, signal);
    return { data: (await tile?.arrayBuffer()) ?? new ArrayBuffer(0) };
  });
}

async function fetchGood(address: string, signal: AbortSignal | null = null): Promise<Response> {
  const response = await fetch(address, { signal });
  if (!response.ok) throw new Error(`${address}: ${response.status}`);
  return response;
}
