/** Entry of the page: before the service itself, or before what `snapshot view` serves. */
import { keptToken } from '../../browser/session-token.ts';
import { changeToken, TOKEN_CHANGE } from '../../browser/token-control.ts';
import { loadSnapshots, type SnapshotFacts, type ViewedSnapshots } from './comparison.ts';
import { describeFault, describeWait } from './describe.ts';
import { find, placePopovers, tellFault } from './dom.ts';
import { Explorer } from './explorer.ts';
import { say } from './messages.ts';
import type { Source } from './search.ts';
import { Service } from './service.ts';

const { source, worker = '', tiles = '', towns = '' } = find('explore', HTMLElement).dataset;
const canDrawMap = document.createElement('canvas').getContext('webgl2') !== null;

placePopovers();
const explorer = new Explorer(towns, canDrawMap, (error) => {
  changeToken(null);
  tellFault('token', describeFault(error));
});

if (source === 'snapshots') {
  const snapshots = await loadSnapshots();
  // There are no other pages here, and no token is needed.
  for (const part of document.querySelectorAll<HTMLElement>('.menu-button, #menu'))
    part.hidden = true;
  document.querySelector('.brand')?.removeAttribute('href');
  find('changes', HTMLElement).hidden = !snapshots.changes;
  const name = find('source-name', HTMLParagraphElement);
  name.textContent = describeSnapshots(snapshots);
  name.hidden = false;
  explorer.start(sourceOfSnapshots(snapshots));
} else {
  takeTokens();
  explorer.start(sourceOfService(keptToken()));
}
if (canDrawMap) await drawMap();
else find('map-fault', HTMLParagraphElement).hidden = false;

/** Of the form for a token, and of the header. */
function takeTokens(): void {
  const input = find('token', HTMLInputElement);
  find('token-form', HTMLFormElement).addEventListener('submit', (event) => {
    event.preventDefault();
    changeToken(input.value);
  });
  window.addEventListener(TOKEN_CHANGE, () => {
    const token = keptToken();
    explorer.useSource(sourceOfService(token));
    tellFault('token', '');
    input.value = '';
    const next = token === null ? input : find('search', HTMLInputElement);
    next.focus({ preventScroll: true });
  });
}

/** The library is larger than all else together: the first stores are on their way by now. */
async function drawMap(): Promise<void> {
  const { MapView } = await import('./map-view.ts');
  const map = new MapView(
    find('map', HTMLDivElement),
    { worker, tiles },
    {
      onMoved: (view) => explorer.moved(view),
      onStore: (id) => explorer.act({ store: id }),
      onHover: (id) => explorer.hover(id),
      covered: () => explorer.sheet.covered,
    },
  );
  explorer.useMap(map);
}

function sourceOfService(token: string | null): Source | null {
  if (token === null) return null;
  return { service: open('', token), before: null, changes: null, isWhole: false };
}

function sourceOfSnapshots({ before, after, changes }: ViewedSnapshots): Source {
  return {
    service: open(after.base, null),
    before: before && open(before.base, null),
    changes,
    isWhole: true,
  };
}

function open(base: string, token: string | null): Service {
  return new Service({ base, token, onWait: (wait) => say(describeWait(wait)) });
}

function describeSnapshots({ before, after }: ViewedSnapshots): string {
  return before ? `${describe(before)} → ${describe(after)}` : describe(after);
}

function describe({ name, release, storeCount }: SnapshotFacts): string {
  return `${name} (${release.slice(0, 6)}, ${storeCount.toLocaleString('en')} stores)`;
}
