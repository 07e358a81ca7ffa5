/** Entry of the page. */
import { render } from 'preact';
import { keptToken, TOKEN_CHANGE } from '../../browser/session-token.ts';
import '../../browser/token-control.ts';
import { App, SkipLinks } from './components/App.tsx';
import { find } from './dom.ts';
import { readState } from './explorer.ts';
import { setToken } from './service/inquiry.ts';
import './kept-focus.ts';
import './popovers.ts';

render(<SkipLinks />, find('skip-links'));
render(<App />, find('explore'));
// The library of the map is larger than all else together: the first stores are on their way before.
readState();
setToken(keptToken());
addEventListener(TOKEN_CHANGE, () => {
  const token = keptToken();
  setToken(token);
  // Once the form is there, or gone.
  setTimeout(() => {
    find(token === null ? 'token' : 'search').focus({ preventScroll: true });
  });
});
