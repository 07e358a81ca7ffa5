/** The page as a whole: one state, which the search, the filters, the list and the map show and change. */
import { ProblemError } from '../../../client/src/errors.ts';
import { addressOf, readAddress } from './address.ts';
import { describeFault } from './describe.ts';
import { find } from './dom.ts';
import { Filters } from './filters.ts';
import { Inquiry } from './inquiry.ts';
import type { MapView } from './map-view.ts';
import { OrderForm } from './order-form.ts';
import { PlaceForm } from './place-form.ts';
import { RequestPanel } from './request-panel.ts';
import { Results } from './results.ts';
import type { Found, Source } from './search.ts';
import { SearchField } from './search-field.ts';
import { Sheet } from './sheet.ts';
import { type ExploreState, FIRST_RADIUS, FIRST_STATE, type Place } from './state.ts';
import { StoreDetail } from './store-detail.ts';
import { StoreList } from './store-list.ts';
import { languageOf } from './words.ts';

/** Milliseconds after which what is open is worked out anew. */
const MINUTE = 60_000;

export class Explorer {
  private state = FIRST_STATE;
  private map: MapView | null = null;
  readonly sheet = new Sheet();
  private readonly field: SearchField;
  private readonly places: PlaceForm;
  private readonly filters = new Filters((changed) => this.act(changed));
  private readonly order = new OrderForm((changed) => this.act(changed));
  private readonly list: StoreList;
  private readonly results: Results;
  private readonly detail: StoreDetail;
  private readonly panel: RequestPanel;
  private readonly inquiry: Inquiry;
  /** Where the map is to go next, and null once it is there: then it goes where the user likes. */
  private target: 'view' | 'place' | 'found' | null = null;
  private readonly hasMap: boolean;
  private readonly onRefused: (error: unknown) => void;

  /**
   * @param towns address of the list of towns
   * @param hasMap whether there is going to be a map
   * @param onRefused told that the service does not take the token
   */
  constructor(towns: string, hasMap: boolean, onRefused: (error: unknown) => void) {
    this.onRefused = onRefused;
    this.hasMap = hasMap;
    this.list = new StoreList({
      onChoose: ({ id }) => this.act({ store: id }),
      onHover: (store) => this.map?.data.showPin('hovered', store),
      onRows: (rows) => this.inquiry.wantHours(rows),
      openingOf: ({ id }) => this.inquiry.openingOf(id),
    });
    this.results = new Results(this.state, this.list, {
      act: (changed) => this.act(changed),
      tryAgain: () => this.askAnew(),
    });
    this.field = new SearchField(towns, {
      onTown: ({ name, latitude, longitude }) =>
        this.goTo({ latitude, longitude, radius: FIRST_RADIUS, name }),
      onStore: (id) => this.act({ store: id }),
      onWords: (words) => this.act({ words, place: null, order: null }),
      onClear: () => this.act({ words: '', place: null, order: null }),
      suggest: (words) => this.inquiry.suggest(words),
    });
    this.places = new PlaceForm({
      onPlace: (place) => this.goTo(place),
      onFault: (fault) => this.field.tell(fault),
    });
    this.detail = new StoreDetail(languageOf(navigator.languages), {
      onAnswer: (answer) => this.panel.show(answer),
      onPlace: (pin) => {
        this.map?.data.showPin('selected', pin);
        if (pin?.point && !this.map?.isSeen(pin.point)) this.map?.goTo(pin.point);
      },
      onClose: () => this.closeStore(),
      describeFault,
    });
    this.panel = new RequestPanel((fields) =>
      this.inquiry.answerWith(fields, this.state, this.results.found?.area ?? null),
    );
    this.inquiry = new Inquiry({
      onFound: (found) => this.takeFound(found),
      onFault: (error) => this.showFault(error),
      onFacets: (facets) => this.filters.count(facets),
      onHours: () => this.list.tellOpenings(),
    });
    addEventListener('popstate', () => this.follow(readAddress(location.hash)));
    find('search-area', HTMLButtonElement).addEventListener('click', () =>
      this.act({ place: null, words: '', order: null }),
    );
    setInterval(() => this.list.tellOpenings(), MINUTE);
  }

  /** Shows what the address says. @param source null while there is no token */
  start(source: Source | null): void {
    this.follow(readAddress(location.hash));
    this.useSource(source);
  }

  /** Another token, or none any more. */
  useSource(source: Source | null): void {
    this.inquiry.source = source;
    this.askAnew();
  }

  /** The map comes after the first stores: it takes longer to load than they do. */
  useMap(map: MapView): void {
    this.map = map;
    this.results.useMap(map);
    this.show();
  }

  moved(view: ExploreState['view']): void {
    // Until then it moves by itself.
    if (this.target) return;
    this.state = { ...this.state, view };
    history.replaceState(null, '', addressOf(this.state));
    this.ask();
    this.results.showInView();
    this.showSearchArea();
  }

  hover(id: string | null): void {
    const store = this.results.storeOf(id);
    this.list.hover(id);
    this.map?.showName(store);
    this.map?.data.showPin('hovered', store);
  }

  /** Does what the user wants, so that Back undoes it. */
  act(changed: Partial<ExploreState>): void {
    this.state = { ...this.state, ...changed };
    history.pushState(null, '', addressOf(this.state));
    if (changed.place) this.target = 'place';
    if (changed.words) this.target = 'found';
    if (changed.place || changed.words || changed.store) this.sheet.rise();
    this.show();
  }

  private goTo(place: Place): void {
    this.act({ place, words: '', store: null, order: null });
  }

  /** Shows another state of the page, and the map where it was. */
  private follow(state: ExploreState): void {
    this.state = state;
    this.target = state.view ? 'view' : state.place ? 'place' : 'found';
    this.show();
  }

  /** Brings the map where the state says. */
  private placeMap(): void {
    const { map, target } = this;
    const { view, place } = this.state;
    if (!map || !target || target === 'found') return;
    this.target = null;
    if (target === 'view' && view) map.showView(view);
    else if (place) map.fitPlace(place);
  }

  /** Brings the map where the stores are, once all are found. */
  private fitFound(): void {
    if (!this.map || this.target !== 'found' || !this.results.found?.isComplete) return;
    this.target = null;
    this.results.fit();
  }

  /** Brings everything in line with the state. */
  private show(): void {
    const { place, words } = this.state;
    this.field.show(
      words || (place ? (place.name ?? `${place.latitude}, ${place.longitude}`) : ''),
    );
    this.places.show(place);
    this.filters.show(this.state);
    this.order.show(this.state);
    this.map?.data.showPlace(place);
    this.placeMap();
    this.ask();
    this.results.show(this.state);
    this.fitFound();
    this.showStore();
    this.showSearchArea();
  }

  /** Asks for what is missing of the question and the area that the map shows. */
  private ask(): void {
    const { state, map, target, results } = this;
    // The area that the address means is known once the map is there.
    if (target === 'view' && this.hasMap && !map) return;
    const isOfArea = !state.place && state.words === '' && map !== null && target === null;
    const missing = this.inquiry.ask(state, isOfArea ? map.area() : null, results.found);
    if (missing === 'all') results.wait('Searching …');
    if (missing === 'part') results.waitForMore();
  }

  private askAnew(): void {
    this.inquiry.forget();
    find('panel', HTMLElement).classList.toggle('welcome', !this.inquiry.source);
    this.results.wait('');
    this.show();
  }

  private takeFound(found: Found): void {
    if (this.results.found?.answer !== found.answer) void this.panel.showList(found.answer);
    this.results.take(found, this.state);
    this.filters.countChanges(
      (kind) => found.stores.filter(({ change }) => change === kind).length,
    );
    this.fitFound();
    this.showStore();
  }

  private showFault(error: unknown): void {
    this.inquiry.forget();
    if (!(error instanceof ProblemError && [401, 403].includes(error.status))) {
      this.results.fail(error);
      return;
    }
    this.useSource(null);
    this.onRefused(error);
  }

  private showStore(): void {
    const { state, results } = this;
    const { source } = this.inquiry;
    if (state.store === null || !source) {
      if (this.detail.hide()) void this.panel.showList(results.found?.answer ?? null);
      return;
    }
    const known = results.storeOf(state.store);
    const service = known?.change === 'removed' ? source.before : source.service;
    this.detail.show(service ?? source.service, state.store, known);
  }

  private closeStore(): void {
    const { store } = this.state;
    this.act({ store: null });
    if (store) this.list.focus(store);
  }

  /** Offers to search where the map is, once it has left the place of the search. */
  private showSearchArea(): void {
    const { place } = this.state;
    find('search-area', HTMLButtonElement).hidden =
      !place || this.target !== null || !this.map?.hasLeft(place);
  }
}
