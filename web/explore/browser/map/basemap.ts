/** The tiles of the map below the stores, which lie beside the page. */
import { addProtocol } from 'maplibre-gl';
import { FileList } from '../service/file-list.ts';

const PROTOCOL = 'basemap';

/** Returns the address of the tiles of a source as the style has it; MapLibre puts numbers in the braces. */
export const tilesOf = (source: 'world' | 'small'): string => `${PROTOCOL}://${source}-{z}-{x}-{y}`;

/**
 * Has MapLibre load the tiles. Those that hold only sea were never cut, and are not asked for.
 * @param list address of the list of tiles
 */
export function serveBasemap(list: string): void {
  const files = new FileList(list);
  // It is on its way while the style is read; a tile that needs it tells of a failure.
  files.addresses().catch(() => {});
  addProtocol(PROTOCOL, async ({ url }, { signal }) => {
    const tile = await files.load(url.slice(`${PROTOCOL}://`.length), signal);
    return { data: (await tile?.arrayBuffer()) ?? new ArrayBuffer(0) };
  });
}
