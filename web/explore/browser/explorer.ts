/** The page as a whole: one state, which the search, the filters, the list and the map show and change. */
import { ProblemError } from '../../../client/src/errors.ts';
import type { FieldPath } from '../../../client/src/fields.ts';
import type { Area } from '../../../client/src/query.ts';
import { DistanceFrom } from '../../../src/query/great-circle.ts';
import { readAddress, writeAddress } from './address.ts';
import { covers } from './area.ts';
import { describeFault } from './describe.ts';
import { find } from './dom.ts';
import { FacetCounts } from './facets.ts';
import { Filters } from './filters.ts';
import { type FoundStore, foundStore } from './found-store.ts';
import type { MapView } from './map-view.ts';
import { say } from './messages.ts';
import { OpeningHours } from './opening-hours.ts';
import { openingOf } from './opening-words.ts';
import { OrderForm } from './order-form.ts';
import { PlaceForm } from './place-form.ts';
import { filtersOf, storesQuery } from './question.ts';
import { RequestPanel } from './request-panel.ts';
import { Results } from './results.ts';
import { type Found, Search, type Source } from './search.ts';
import { MOST_SUGGESTED, SearchField } from './search-field.ts';
import type { Answer } from './service.ts';
import { Sheet } from './sheet.ts';
import { type ExploreState, FIRST_RADIUS, FIRST_STATE, type Place } from './state.ts';
import { StoreDetail } from './store-detail.ts';
import { StoreList } from './store-list.ts';
import { languageOf } from './words.ts';

/** Milliseconds after which what is open now is worked out anew. */
const MINUTE = 60_000;

export interface ExplorerEvents {
  /** Told that the service does not take the token. */
  readonly onRefused: (error: unknown) => void;
}

export class Explorer {
  private state = FIRST_STATE;
  /** Null while there is no token. */
  private source: Source | null = null;
  private map: MapView | null = null;
  readonly sheet = new Sheet();
  private readonly field: SearchField;
  private readonly places: PlaceForm;
  private readonly filters = new Filters((changed) => this.act(changed));
  private readonly order = new OrderForm((changed) => this.act(changed));
  private readonly facets = new FacetCounts((counts) => this.filters.count(counts));
  private readonly hours = new OpeningHours(() => this.list.tellOpenings());
  private readonly list: StoreList;
  private readonly results: Results;
  private readonly detail: StoreDetail;
  private readonly panel: RequestPanel;
  private readonly search: Search;
  /** What the stores are of that are shown, or on their way. */
  private question = { text: '', area: null as Area | null };
  /** Where the map is to go next, and null once it is there: then it goes where the user likes. */
  private target: 'view' | 'place' | 'found' | null = null;
  private readonly hasMap: boolean;
  private readonly events: ExplorerEvents;

  /** @param towns address of the list of towns; @param hasMap whether there is going to be a map */
  constructor(towns: string, hasMap: boolean, events: ExplorerEvents) {
    this.events = events;
    this.hasMap = hasMap;
    this.list = new StoreList({
      onChoose: ({ id }) => this.act({ store: id }),
      onHover: (store) => this.map?.showPin('hovered', store),
      onRows: (rows) => this.wantHours(rows),
      openingOf: ({ id }) => {
        const hours = this.hours.of(id);
        return hours && openingOf(hours, new Date());
      },
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
      suggest: (words) => this.suggest(words),
    });
    this.places = new PlaceForm({
      onPlace: (place) => this.goTo(place),
      onFault: (fault) => this.field.tell(fault),
    });
    this.detail = new StoreDetail(languageOf(navigator.languages), {
      onAnswer: (answer) => this.showAnswer(answer),
      onPlace: (pin) => {
        this.map?.showPin('selected', pin);
        if (pin?.point && !this.map?.isSeen(pin.point)) this.map?.goTo(pin.point);
      },
      onClose: () => this.closeStore(),
      describeFault,
    });
    this.panel = new RequestPanel((fields) => void this.showFields(fields));
    this.search = new Search({
      onFound: (found) => this.takeFound(found),
      onFault: (error) => this.showFault(error),
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
    this.source = source;
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
    history.replaceState(null, '', this.address());
    this.ask();
    this.results.showInView();
    this.showSearchArea();
  }

  hover(id: string | null): void {
    const store = this.results.storeOf(id);
    this.list.hover(id);
    this.map?.showName(store);
    this.map?.showPin('hovered', store);
  }

  /** Does what the user wants, so that Back undoes it. */
  act(changed: Partial<ExploreState>): void {
    this.state = { ...this.state, ...changed };
    history.pushState(null, '', this.address());
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

  private address(): string {
    const text = writeAddress(this.state);
    return text === '' ? location.pathname : `#${text}`;
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
    this.map?.showPlace(place);
    this.placeMap();
    this.ask();
    this.results.show(this.state);
    this.fitFound();
    this.showStore();
    this.showSearchArea();
  }

  /** Asks for what is missing of the question and the area that the map shows. */
  private ask(): void {
    const { source, state, map, target, results } = this;
    if (!source) return;
    // The area that the address means is known once the map is there.
    if (target === 'view' && this.hasMap && !map) return;
    const isOfArea = !state.place && state.words === '' && map !== null && target === null;
    const shown = isOfArea ? map.area() : null;
    const isStale = this.facets.ask(source.service, state, shown);
    if (isStale) this.filters.wait();
    const area = source.isWhole ? null : shown;
    const text = JSON.stringify([source.service.base, storesQuery(state, null)]);
    const isSame = text === this.question.text;
    const { found } = results;
    const hasAll = !found?.isComplete || found.stores.length >= found.total;
    if (isSame && hasAll && covers(this.question.area, area)) return;
    this.question = { text, area };
    if (!this.search.run(source, state, area)) return;
    if (isSame && found) results.waitForMore();
    else results.wait('Searching …');
  }

  private askAnew(): void {
    this.search.stop();
    this.question = { text: '', area: null };
    find('panel', HTMLElement).classList.toggle('welcome', !this.source);
    this.results.wait('');
    this.show();
  }

  private takeFound(found: Found): void {
    const isNew = this.results.found?.answer !== found.answer;
    this.results.take(found, this.state);
    if (isNew) void this.showFields(this.panel.chosenFields());
    this.filters.countChanges(
      (kind) => found.stores.filter(({ change }) => change === kind).length,
    );
    this.fitFound();
    this.showStore();
  }

  private showFault(error: unknown): void {
    this.question = { text: '', area: null };
    if (!(error instanceof ProblemError && [401, 403].includes(error.status))) {
      this.results.fail(error);
      return;
    }
    this.useSource(null);
    this.events.onRefused(error);
  }

  private showStore(): void {
    const { source, state, results } = this;
    if (state.store === null || !source) {
      if (this.detail.hide()) void this.showFields(this.panel.chosenFields());
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
      !place || !this.map || this.target !== null || !isAway(this.map, place);
  }

  private async suggest(words: string): Promise<readonly FoundStore[]> {
    const { source } = this;
    if (!source) return [];
    const query = storesQuery({ ...FIRST_STATE, words: words.slice(0, 100) }, null);
    const { read } = await source.service.list({ ...query, limit: MOST_SUGGESTED });
    return read.docs.map(foundStore);
  }

  private wantHours(rows: readonly FoundStore[]): void {
    const { source } = this;
    const ids = rows.filter(({ change }) => change !== 'removed').map(({ id }) => id);
    if (source) this.hours.want(source.service, ids);
  }

  /** Shows the request of the list, with the fields that are chosen in the place of the page's own. */
  private async showFields(fields: readonly FieldPath[]): Promise<void> {
    const { found } = this.results;
    if (!found || !this.source) return;
    this.showAnswer(found.answer);
    if (fields.length === 0) return;
    const query = { ...filtersOf(this.state, found.area), fields, limit: 100 };
    try {
      const { answer } = await this.source.service.list(query);
      this.showAnswer(answer);
    } catch (error) {
      say(describeFault(error));
    }
  }

  private showAnswer(answer: Answer): void {
    this.panel.show(answer, this.source?.service.needsToken ?? true);
  }
}

/** Whether the map has left a place, and the circle around it too. */
function isAway(map: MapView, { latitude, longitude, radius }: Place): boolean {
  const { lat, lng } = map.middle();
  const distance = new DistanceFrom(latitude, longitude).to(lat, lng);
  return distance > radius && !map.isSeen({ lat: latitude, lng: longitude });
}
