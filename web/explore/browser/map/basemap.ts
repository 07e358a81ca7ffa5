/** The tiles of the map below the stores, which lie beside the page. */
import { addProtocol } from 'maplibre-gl';
import { FileList } from '../service/file-list.ts';

/**
 * Has MapLibre load the tiles that the style names. Those that hold only sea were never cut, and are not asked for.
 * @param list address of the list of tiles
 */
export function serveBasemap(list: string): void {
  const files = new FileList(list);
  // It is on its way while the style is read; a tile that needs it tells of a failure.
  files.addresses().catch(() => {});
  addProtocol('basemap', async ({ url }, { signal }) => {
    const tile = await files.load(url.slice('basemap://'.length), signal);
    return { data: (await tile?.arrayBuffer()) ?? new ArrayBuffer(0) };
  });
}
