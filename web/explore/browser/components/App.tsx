import { MapStage } from './MapStage.tsx';
import { Panel } from './Panel.tsx';
import { Search } from './SearchField.tsx';

/** Shows all of the page below its header. */
export const App = () => (
  <>
    <h1 class="unseen">Find rental stores</h1>
    <search id="search-box">
      <Search />
    </search>
    <Panel />
    <section id="stage" aria-label="Map" tabIndex={-1}>
      <MapStage />
    </section>
  </>
);
