/** The page as a whole: one state, which the form, the list and the map show and change. */
import { ProblemError } from '../../../client/src/errors.ts';
import { AddressBar } from './address-bar.ts';
import type { ViewedSnapshots } from './comparison.ts';
import { find } from './dom.ts';
import {
  countChanges,
  describeFault,
  describeStatus,
  describeWait,
  markKind,
  say,
} from './explorer-words.ts';
import type { FoundStore, Point } from './found-store.ts';
import type { Found } from './load-stores.ts';
import { MapHandles } from './map-handles.ts';
import { canDrawMap, type MapFiles, MapView } from './map-view.ts';
import { OpeningMarks } from './opening-marks.ts';
import { RequestPanel } from './request-panel.ts';
import { Search } from './search.ts';
import { SearchForm } from './search-form.ts';
import { changeState, type ExploreState, FIRST_RADIUS, FIRST_STATE } from './state.ts';
import { StoreChoice } from './store-choice.ts';
import { StoreDetail } from './store-detail.ts';
import { StoreList } from './store-list.ts';
import { TokenForm } from './token-form.ts';

/** Milliseconds after which what is open now is worked out anew. */
const MINUTE = 60_000;

const NO_TOKEN = 'Stores appear here once you have pasted a token.';

export class Explorer {
  private state = FIRST_STATE;
  private readonly form: SearchForm;
  private readonly address: AddressBar;
  private readonly search: Search;
  private readonly list: StoreList;
  private readonly map: MapView | null;
  private readonly handles: MapHandles | null;
  private readonly panel = new RequestPanel();
  private readonly choice: StoreChoice;
  private readonly tokenForm: TokenForm | null;
  private found: Found | null = null;
  /** What the map shows: what was found, without what opening hours and changes leave out. */
  private shown: readonly FoundStore[] = [];
  private readonly opening = new OpeningMarks();
  /** Whether the map is where the address wants it; where it says nothing of that, all is to be seen. */
  private isFitted = false;

  constructor(files: MapFiles, snapshots: ViewedSnapshots | null) {
    this.form = new SearchForm({
      onChange: (changed) => this.update(changed),
      onSearchHere: () => this.map && this.searchAround(this.map.middle()),
    });
    this.address = new AddressBar(this.form.vocabulary, (state) => this.follow(state));
    this.search = new Search(snapshots, {
      onFound: (found) => this.takeFound(found),
      onFault: (error) => this.showFault(error),
      onWait: (wait) => say(describeWait(wait)),
    });
    this.list = new StoreList({
      onChoose: ({ id }) => this.update({ store: id }),
      onHover: (store) => this.map?.showPoint('hovered', store?.point ?? null),
    });
    this.map = canDrawMap() ? this.openMap(files) : null;
    find('map-fault', HTMLParagraphElement).hidden = this.map !== null;
    this.handles = this.map && this.openHandles(this.map);
    const detail = new StoreDetail(() => this.closeStore());
    this.choice = new StoreChoice(this.search, detail, {
      onAnswer: (answer) => this.panel.show(answer, this.search.service.needsToken),
      onPlace: (point, isNear) => this.showPlace(point, isNear),
      at: () => this.instant(),
    });
    this.tokenForm = snapshots ? null : new TokenForm((token) => this.useToken(token));
    this.listen();
  }

  /** Shows what the address says, and searches if it may. */
  start(): void {
    this.tokenForm?.ask(null);
    if (this.tokenForm) say(NO_TOKEN);
    this.follow(this.address.read());
    setInterval(() => {
      this.showChoice();
      if (this.state.opening !== 'ignore') void this.refresh();
    }, MINUTE);
  }

  private listen(): void {
    const onlyInView = find('only-in-view', HTMLInputElement);
    onlyInView.addEventListener('change', () => this.update({ onlyInView: onlyInView.checked }));
    find('load-more', HTMLButtonElement).addEventListener('click', () => {
      say('Loading more stores …');
      this.search.loadMore(this.state);
    });
  }

  /** Shows what an address says, which may be where the map is to be, too. */
  private follow(state: ExploreState): void {
    this.state = state;
    const { view, position, store } = state;
    this.isFitted = view !== null || position !== null || store !== null;
    this.show();
    if (view) this.map?.showView(view);
    else if (position) this.map?.fitSearch(position);
  }

  private update(changed: Partial<ExploreState>): void {
    const { position } = this.state;
    this.state = changeState(this.state, changed);
    this.show();
    const isNew = this.state.position !== position;
    if (isNew && this.state.position) this.map?.fitSearch(this.state.position);
  }

  /** Brings everything in line with the state. */
  private show(): void {
    this.address.write(this.state);
    this.form.show(this.state);
    find('only-in-view', HTMLInputElement).checked = this.state.onlyInView;
    this.map?.showSearch(this.state.position);
    this.handles?.show(this.state.position);
    if (this.search.run(this.state)) say('Searching …');
    else void this.refresh();
    this.showChoice();
  }

  private showChoice(): void {
    const { store } = this.state;
    this.list.select(store);
    const known = this.found?.stores.find(({ id }) => id === store) ?? null;
    this.choice.show(this.state, known);
  }

  private takeFound(found: Found): void {
    const isNew = this.found?.answer !== found.answer;
    const drawn = isNew ? 0 : (this.found?.stores.length ?? 0);
    // Not every page is drawn: each time the stores have doubled will do.
    if (!found.isComplete && found.stores.length < 2 * drawn) return;
    find('search-fault', HTMLParagraphElement).textContent = '';
    if (isNew) this.panel.show(found.answer, this.search.service.needsToken);
    this.found = found;
    void this.refresh();
    this.showChoice();
  }

  /** Works out what is open, and shows what is left. */
  private async refresh(): Promise<void> {
    const stores = this.found?.stores ?? [];
    const { opening, changes } = this.state;
    // An empty look ends one that is under way.
    const looked = opening === 'ignore' ? [] : stores;
    if (!(await this.opening.look(looked, this.instant()))) return;
    this.shown = stores.filter(
      ({ id, change }) =>
        (change === null || changes.includes(change)) &&
        (opening !== 'open' || this.opening.isOpen(id) === true),
    );
    this.map?.showStores(this.shown, (store) => markKind(store, this.opening.isOpen(store.id)));
    this.fitOnce();
    countChanges(stores);
    this.showList();
  }

  /** Shows all stores at once when the last of them are found, unless the map is where it is to be. */
  private fitOnce(): void {
    if (this.isFitted || this.search.isRunning || !this.found) return;
    this.isFitted = true;
    this.map?.fit(this.shown.flatMap(({ point }) => point ?? []));
  }

  private showList(): void {
    const isWithin = this.state.onlyInView ? this.map?.contains() : undefined;
    const listed = isWithin
      ? this.shown.filter(({ point }) => point && isWithin(point))
      : this.shown;
    this.list.show(listed, ({ id }) => this.opening.isOpen(id));
    this.list.select(this.state.store);
    find('load-more', HTMLButtonElement).hidden =
      !this.found?.isComplete || this.found.stores.length >= this.found.total;
    if (this.found) say(describeStatus(this.found, this.shown, listed.length, this.state));
  }

  private useToken(token: string | null): void {
    this.search.useToken(token);
    this.choice.close();
    this.found = null;
    if (token === null) say(NO_TOKEN);
    this.show();
  }

  private showFault(error: unknown): void {
    const isOfToken = error instanceof ProblemError && [401, 403].includes(error.status);
    say('');
    find('search-fault', HTMLParagraphElement).textContent = isOfToken ? '' : describeFault(error);
    if (isOfToken) {
      this.search.useToken(null);
      this.choice.close();
      this.tokenForm?.ask(describeFault(error));
    }
    if (!this.found || this.found.isComplete) return;
    // Nothing more is on its way.
    this.found = { ...this.found, isComplete: true };
    void this.refresh();
  }

  private openMap(files: MapFiles): MapView {
    return new MapView(find('map', HTMLDivElement), files, {
      onMoved: (view) => {
        this.state = { ...this.state, view };
        this.address.write(this.state);
        if (this.state.onlyInView) this.showList();
      },
      onPick: (point) => this.searchAround(point),
      onStore: (row) => this.update({ store: this.shown[row]?.id ?? null }),
      onHover: (row) => {
        const store = row === null ? null : (this.shown[row] ?? null);
        this.list.hover(store?.id ?? null);
        this.map?.showName(store);
      },
    });
  }

  private openHandles(view: MapView): MapHandles {
    return new MapHandles(view.map, {
      onDrag: (position) => {
        this.handles?.show(position);
        view.showSearch(position);
        this.form.show({ ...this.state, position });
      },
      onDrop: (position) => this.update({ position }),
    });
  }

  private searchAround({ lat, lng }: Point): void {
    const radius = this.state.position?.radius ?? FIRST_RADIUS;
    this.update({ position: { latitude: lat, longitude: lng, radius } });
  }

  private closeStore(): void {
    const { store } = this.state;
    this.update({ store: null });
    if (store) this.list.focus(store);
  }

  private showPlace(point: Point | null, isNear: boolean): void {
    this.map?.showPoint('selected', point);
    if (point && !isNear) this.map?.goTo(point);
  }

  private instant(): Date {
    return new Date(this.state.at ?? Date.now());
  }
}
