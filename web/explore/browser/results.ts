/** What was found: the list, the pins, and what is said of both. */

import { boxAround, firstView, isInside } from './area.ts';
import { describeFault, describeFound, describeQuestion } from './describe.ts';
import { find } from './dom.ts';
import { type FoundStore, ordered, type Point } from './found-store.ts';
import type { MapView } from './map-view.ts';
import { type Action, say, showMessage, showNotes } from './messages.ts';
import type { Found } from './search.ts';
import { type ExploreState, hasFilters, LARGEST_RADIUS, NO_FILTERS, orderOf } from './state.ts';
import type { StoreList } from './store-list.ts';
import { count, stores } from './words.ts';

/** What a message may lead to. */
export interface ResultsEvents {
  readonly act: (changed: Partial<ExploreState>) => void;
  readonly tryAgain: () => void;
}

export class Results {
  /** Null until it is drawn, and where it cannot be. */
  private map: MapView | null = null;
  found: Found | null = null;
  private readonly panel = find('panel', HTMLElement);
  private readonly list: StoreList;
  private readonly events: ResultsEvents;
  private state: ExploreState;
  /** What was found, in order, without what the changes leave out. */
  private shown: readonly FoundStore[] = [];
  /** What `shown` was made of. */
  private drawn = { found: null as Found | null, asked: '' };
  private byId: ReadonlyMap<string, FoundStore> = new Map();
  /** Stores that lie outside of the first view. */
  private far = 0;
  private listsHidden = false;

  constructor(state: ExploreState, list: StoreList, events: ResultsEvents) {
    this.state = state;
    this.list = list;
    this.events = events;
  }

  useMap(map: MapView): void {
    this.map = map;
    map.data.showStores(this.shown);
  }

  /** No old answer stands under a new question. @param status what is going on */
  wait(status: string): void {
    this.found = null;
    [this.far, this.listsHidden] = [0, false];
    this.show(this.state);
    this.panel.setAttribute('aria-busy', 'true');
    say(status);
  }

  /** More of the same is on its way: what is shown holds still. */
  waitForMore(): void {
    this.panel.setAttribute('aria-busy', 'true');
  }

  take(found: Found, state: ExploreState): void {
    this.found = found;
    this.panel.removeAttribute('aria-busy');
    this.show(state);
  }

  /** Says why there is nothing, and what to do. */
  fail(error: unknown): void {
    this.wait('');
    this.panel.removeAttribute('aria-busy');
    showMessage({
      title: 'The stores could not be loaded',
      text: describeFault(error),
      actions: [{ text: 'Try again', run: this.events.tryAgain }],
    });
  }

  /** Shows what was found as the state wants it. */
  show(state: ExploreState): void {
    this.state = state;
    const { found } = this;
    const asked = `${state.changes} ${orderOf(state)}`;
    if (found !== this.drawn.found || asked !== this.drawn.asked) {
      this.drawn = { found, asked };
      const all = found?.stores ?? [];
      const kept = all.filter(({ change }) => change === null || state.changes.includes(change));
      this.shown = ordered(kept, orderOf(state));
      this.byId = new Map(all.map((store) => [store.id, store]));
      this.map?.data.showStores(this.shown);
    }
    this.list.select(state.store);
    this.showInView();
  }

  /** The list follows the map. */
  showInView(): void {
    const { found, state, shown } = this;
    const area = this.map?.area() ?? null;
    const isListed = ({ point }: FoundStore) =>
      point ? !area || isInside(area, point) : state.words !== '' || this.listsHidden;
    const listed = shown.filter(isListed);
    this.list.show(listed);
    if (!found) {
      showMessage(null);
      showNotes([]);
      return;
    }
    say(describeFound({ ...found, total: this.totalOf(found) }, listed.length, state));
    showNotes(this.notes());
    showMessage(found.isComplete && listed.length === 0 ? this.describeNothing() : null);
  }

  storeOf(id: string | null): FoundStore | null {
    return (id !== null && this.byId.get(id)) || null;
  }

  /** Shows nearly all of them. */
  fit(): void {
    const view = firstView(pointsOf(this.shown));
    if (!view || !this.map) return;
    this.far = view.far;
    this.map.fit(view.box);
    this.showInView();
  }

  /** Two snapshots are loaded whole; what their changes leave out does not count. */
  private totalOf({ total, stores: loaded }: Found): number {
    return loaded.some(({ change }) => change !== null) ? this.shown.length : total;
  }

  private notes() {
    const notes: { text: string; action: Action }[] = [];
    const hidden = this.shown.filter(({ point }) => !point).length;
    if (this.far > 0) {
      notes.push({ text: `${stores(this.far)} far away`, action: this.showAll('show', true) });
    }
    if (hidden > 0 && this.state.words === '') {
      const text = `${count(hidden)} without an address`;
      notes.push({
        text,
        action: {
          text: this.listsHidden ? 'hide' : 'list',
          run: () => {
            this.listsHidden = !this.listsHidden;
            this.showInView();
          },
        },
      });
    }
    return notes;
  }

  private showAll(text: string, isNote = false): Action {
    return {
      text,
      run: () => {
        if (isNote) this.far = 0;
        this.map?.fit(boxAround(pointsOf(this.shown)));
        this.showInView();
      },
    };
  }

  private describeNothing() {
    const { state, shown, map } = this;
    const { act } = this.events;
    const where = describeQuestion(state);
    const actions: Action[] = [];
    const isElsewhere = pointsOf(shown).length > 0;
    if (isElsewhere) actions.push(this.showAll(`Show all ${stores(shown.length)}`));
    if (isElsewhere && where !== '') {
      const run = () => act({ place: null, words: '' });
      actions.push({ text: 'Search this area', run });
    }
    if (!isElsewhere && hasFilters(state)) {
      actions.push({ text: 'Clear filters', run: () => act(NO_FILTERS) });
    }
    const around = state.place ?? middleOf(map);
    if (!isElsewhere && around && around.radius < LARGEST_RADIUS) {
      const run = () => act({ place: { ...around, radius: LARGEST_RADIUS }, words: '' });
      actions.push({ text: `Nearest within ${LARGEST_RADIUS} km`, run });
    }
    if (map && state.words === '') {
      const run = () => (state.place ? act({ place: null }) : map.zoomOut());
      actions.push({ text: state.place ? 'Search the whole map' : 'Wider view', run });
    }
    const title = isElsewhere
      ? 'No stores in this part of the map'
      : where === ''
        ? 'No stores here'
        : `No stores ${where}`;
    const text = hasFilters(state)
      ? 'Nothing here passes all filters.'
      : 'There may be some not far from here.';
    return { title, text, actions };
  }
}

/** Around what the map shows. */
function middleOf(map: MapView | null) {
  if (!map) return null;
  const { lat, lng } = map.middle();
  return { latitude: lat, longitude: lng, radius: 0, name: 'the middle of the map' };
}

const pointsOf = (all: readonly FoundStore[]): Point[] => all.flatMap(({ point }) => point ?? []);
