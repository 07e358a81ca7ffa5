/** Entry of the page. */
import { render } from 'preact';
import { changeToken, keptToken, TOKEN_CHANGE } from '../../browser/session-token.ts';
import '../../browser/token-control.ts';
import { find, tellFault } from './dom.ts';
import { changeService, drawMap, start } from './explorer.ts';
import { say } from './messages.ts';
import { describeWait } from './model/describe.ts';
import './popovers.ts';
import { Search } from './components/SearchField.tsx';
import { type Service, serviceAt } from './service/service.ts';

render(<Search />, find('search-box'));
takeTokens();
start(serviceFor(keptToken()));
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
    changeService(serviceFor(token));
    tellFault('token', '');
    input.value = '';
    const next = token === null ? input : find('search', HTMLInputElement);
    next.focus({ preventScroll: true });
  });
}

function serviceFor(token: string | null): Service | null {
  if (token === null) return null;
  return serviceAt(location.origin, token, (wait) => say(describeWait(wait)));
}
