/** All that is asked of the service for a state: stores, the numbers of filters, hours, suggestions. */
import type { FieldPath } from '../../../client/src/fields.ts';
import type { Area } from '../../../client/src/query.ts';
import { covers } from './area.ts';
import { FacetCounts, type Facets } from './facets.ts';
import { type FoundStore, foundStore } from './found-store.ts';
import { OpeningHours } from './opening-hours.ts';
import { type Opening, openingOf } from './opening-words.ts';
import { filtersOf, storesQuery } from './question.ts';
import { type Found, Search, type SearchEvents, type Source } from './search.ts';
import type { Answer } from './service.ts';
import { type ExploreState, FIRST_STATE } from './state.ts';

/** Stores that are suggested at once. */
const MOST_SUGGESTED = 4;

export interface InquiryEvents extends SearchEvents {
  /** Null while others are on their way. */
  readonly onFacets: (facets: Facets | null) => void;
  /** Told when more opening hours are known. */
  readonly onHours: () => void;
}

export class Inquiry {
  /** Null while there is no token. */
  source: Source | null = null;
  private readonly search: Search;
  private readonly facets: FacetCounts;
  private readonly hours: OpeningHours;
  /** What the stores are of that are there, or on their way. */
  private question = { text: '', area: null as Area | null };

  constructor(events: InquiryEvents) {
    this.search = new Search(events);
    this.facets = new FacetCounts(events.onFacets);
    this.hours = new OpeningHours(events.onHours);
  }

  /**
   * Asks for what is missing.
   * @param shown the area of the map; null where the question is not about it
   * @returns which stores are on their way
   */
  ask(state: ExploreState, shown: Area | null, found: Found | null): 'all' | 'part' | 'none' {
    const { source, question } = this;
    if (!source) return 'none';
    this.facets.ask(source.service, state, shown);
    const area = source.isWhole ? null : shown;
    const text = JSON.stringify([source.service.base, storesQuery(state, null)]);
    const isSame = text === question.text;
    const hasAll = !found?.isComplete || found.stores.length >= found.total;
    if (isSame && hasAll && covers(question.area, area)) return 'none';
    this.question = { text, area };
    if (!this.search.run(source, state, area)) return 'none';
    return isSame && found ? 'part' : 'all';
  }

  /** Ends what is under way; the same question is asked again then. */
  forget(): void {
    this.search.stop();
    this.question = { text: '', area: null };
  }

  async suggest(words: string): Promise<readonly FoundStore[]> {
    const query = storesQuery({ ...FIRST_STATE, words: words.slice(0, 100) }, null);
    const answered = await this.source?.service.list({ ...query, limit: MOST_SUGGESTED });
    return answered?.read.docs.map(foundStore) ?? [];
  }

  /** The first page of what a state means, with other fields. @throws what `Service.list` throws */
  async answerWith(
    fields: readonly FieldPath[],
    state: ExploreState,
    area: Area | null,
  ): Promise<Answer> {
    if (!this.source) throw new Error('There is no token.');
    const query = { ...filtersOf(state, area), fields, limit: 100 };
    return (await this.source.service.list(query)).answer;
  }

  /** Asks for the hours of stores that are shown; what is gone has none any more. */
  wantHours(rows: readonly FoundStore[]): void {
    const ids = rows.filter(({ change }) => change !== 'removed').map(({ id }) => id);
    if (this.source) this.hours.want(this.source.service, ids);
  }

  openingOf(id: string): Opening | null {
    const hours = this.hours.of(id);
    return hours && openingOf(hours, new Date());
  }
}
