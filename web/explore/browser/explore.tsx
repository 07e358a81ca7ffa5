/** Entry of the page. */
import { render } from 'preact';
import { keptToken, TOKEN_CHANGE } from '../../browser/session-token.ts';
import '../../browser/token-control.ts';
import { ListHead } from './components/ListHead.tsx';
import { MapStage } from './components/MapStage.tsx';
import { Message } from './components/Message.tsx';
import { RequestPanel } from './components/RequestPanel.tsx';
import { Search } from './components/SearchField.tsx';
import { SkipLinks } from './components/SkipLinks.tsx';
import { StoreDetail } from './components/StoreDetail.tsx';
import { StoreList } from './components/StoreList.tsx';
import { TokenForm } from './components/TokenForm.tsx';
import { find } from './dom.ts';
import { changeService, retry, start } from './explorer.ts';
import './popovers.ts';
import { service } from './service/inquiry.ts';
import { sheetHeight } from './sheet.ts';

const Head = () => (service.value ? <ListHead onRetry={retry} /> : <TokenForm />);
const List = () =>
  service.value && (
    <>
      <Message />
      <StoreList />
    </>
  );

render(<SkipLinks />, find('skip-links'));
render(<Search />, find('search-box'));
start(keptToken());
render(<Head />, find('panel-head'));
render(<List />, find('scroller'));
render(<StoreDetail />, find('store'));
render(<RequestPanel />, find('request'));
addEventListener(TOKEN_CHANGE, () => {
  const token = keptToken();
  changeService(token);
  // Once the form is there, or gone.
  setTimeout(() => {
    find(token === null ? 'token' : 'search').focus({ preventScroll: true });
  });
});
// Its library is larger than all else together: the first stores are on their way before.
const { worker = '', tiles = '' } = find('explore').dataset;
render(<MapStage worker={worker} tiles={tiles} coveredBelow={sheetHeight} />, find('stage'));
