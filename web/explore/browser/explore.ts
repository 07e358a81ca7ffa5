/** Entry of the page: before the service itself, or before what `snapshot view` serves. */
import { loadSnapshots, type SnapshotFacts, type ViewedSnapshots } from './comparison.ts';
import { find } from './dom.ts';
import { Explorer } from './explorer.ts';

const NARROW = matchMedia('(max-width: 760px)');

const page = find('explore', HTMLElement);
const { source, worker = '', tiles = '' } = page.dataset;

const snapshots = source === 'snapshots' ? await loadSnapshots() : null;
find('source-name', HTMLParagraphElement).textContent = snapshots
  ? describeSnapshots(snapshots)
  : location.host;
find('docs-link', HTMLAnchorElement).hidden = snapshots !== null;
find('changes', HTMLFieldSetElement).hidden = !snapshots?.changes;
// On a phone the map and the stores come first.
find('search-box', HTMLDetailsElement).open = !NARROW.matches;
new Explorer({ worker, tiles }, snapshots).start();

function describeSnapshots({ before, after }: ViewedSnapshots): string {
  return before ? `${describe(before)} → ${describe(after)}` : describe(after);
}

function describe({ name, release, storeCount }: SnapshotFacts): string {
  return `${name} (${release.slice(0, 6)}, ${storeCount.toLocaleString('en')} stores)`;
}
