/** Entry of the page: before the service itself, or before what `snapshot view` serves. */
import { changeToken, keptToken, TOKEN_CHANGE } from '../../browser/session-token.ts';
import '../../browser/token-control.ts';
import { loadSnapshots, type SnapshotFacts, type ViewedSnapshots } from './comparison.ts';
import { describeWait } from './describe.ts';
import { find, tellFault } from './dom.ts';
import { changeSource, drawMap, start } from './explorer.ts';
import { say } from './messages.ts';
import './popovers.ts';
import type { Source } from './search.ts';
import { type Service, serviceAt } from './service.ts';

if (find('explore').dataset.source === 'snapshots') {
  const snapshots = await loadSnapshots();
  // There are no other pages here, and no token is needed.
  for (const part of document.querySelectorAll<HTMLElement>('.menu-button, #menu'))
    part.hidden = true;
  document.querySelector('.brand')?.removeAttribute('href');
  find('changes').hidden = !snapshots.changes;
  const name = find('source-name');
  name.textContent = describeSnapshots(snapshots);
  name.hidden = false;
  start(sourceOfSnapshots(snapshots));
} else {
  takeTokens();
  start(sourceOfService(keptToken()));
}
await drawMap();

/** Of the form for a token, and of the header. */
function takeTokens(): void {
  const input = find('token', HTMLInputElement);
  find('token-form', HTMLFormElement).onsubmit = (event) => {
    event.preventDefault();
    changeToken(input.value);
  };
  window.addEventListener(TOKEN_CHANGE, () => {
    const token = keptToken();
    changeSource(sourceOfService(token));
    tellFault('token', '');
    input.value = '';
    const next = token === null ? input : find('search', HTMLInputElement);
    next.focus({ preventScroll: true });
  });
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
  return serviceAt(location.origin + base, token, (wait) => say(describeWait(wait)));
}

function describeSnapshots({ before, after }: ViewedSnapshots): string {
  return before ? `${describe(before)} → ${describe(after)}` : describe(after);
}

function describe({ name, release, storeCount }: SnapshotFacts): string {
  return `${name} (${release.slice(0, 6)}, ${storeCount.toLocaleString('en')} stores)`;
}
