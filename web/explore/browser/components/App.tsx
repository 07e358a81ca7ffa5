import { MapStage } from './MapStage.tsx';
import { Panel } from './Panel.tsx';
import { PlaceForm } from './PlaceForm.tsx';
import { SearchForm } from './SearchField.tsx';

/** Shows all of the page below its header. */
export const App = () => (
  <>
    <h1 class="unseen">Find rental stores</h1>
    <search id="search-box">
      <SearchForm />
      <PlaceForm />
    </search>
    <Panel />
    <section id="stage" aria-label="Map">
      <MapStage />
    </section>
  </>
);

/** Buttons that the Tab key comes to first: the address has the state, so they are no links. */
const TARGETS = [
  { name: 'search', selector: '#search' },
  { name: 'list', selector: '#list button[tabindex="0"]' },
  { name: 'map', selector: '#map canvas' },
];

export const SkipLinks = () => (
  <nav aria-label="Skip">
    {TARGETS.map(({ name, selector }) => (
      <button
        key={name}
        type="button"
        class="unseen"
        onClick={() => document.querySelector<HTMLElement>(selector)?.focus()}
      >
        Skip to the {name}
      </button>
    ))}
  </nav>
);
