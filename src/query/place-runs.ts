/** Which stretches of the tree a search has to look at. */
import type { PlaceTable } from '../snapshot/place-table.ts';
import type { SearchBox } from './search-box.ts';

/**
 * Runs of places, first and last in turn, that hold every place within one of `boxes` and some
 * others. The tree keeps near places together, so a run is read as memory likes it; kdbush's own
 * `range` makes a list of single places, of which a town has thousands.
 */
export function runsWithin({ tree }: PlaceTable, boxes: readonly SearchBox[]): number[] {
  const { coords, nodeSize, numItems } = tree;
  const runs: number[] = [];
  const add = (first: number, last: number) => {
    const end = runs.length - 1;
    if (runs[end] === first - 1) runs[end] = last;
    else runs.push(first, last);
  };
  /** Descends as kdbush laid the tree out: the middle splits by longitude, then by latitude… */
  const collect = (box: SearchBox, first: number, last: number, byLatitude: boolean) => {
    if (last - first <= nodeSize) {
      if (first <= last) add(first, last);
      return;
    }
    const middle = (first + last) >> 1;
    const split = coords[2 * middle + (byLatitude ? 1 : 0)] as number;
    const reachesDown = (byLatitude ? box.minLat : box.minLng) <= split;
    const reachesUp = (byLatitude ? box.maxLat : box.maxLng) >= split;
    if (reachesDown) collect(box, first, middle - 1, !byLatitude);
    if (reachesDown && reachesUp) add(middle, middle);
    if (reachesUp) collect(box, middle + 1, last, !byLatitude);
  };
  for (const box of boxes) collect(box, 0, numItems - 1, false);
  return runs;
}
