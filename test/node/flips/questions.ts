/** What partners ask: of stores that changed a moment ago more often than of others. */
import type { PartnerName } from '../../../bench/data/tokens.ts';
import type { Random } from '../../../fixtures/generator/random.ts';
import type { SourceStore } from '../../../scripts/compile/source-store.ts';
import type { Language } from '../../../src/model/enumerations.ts';
import type { GetParams, ListParams } from '../../shared/oracle/parameters.ts';
import { TOWNS, VERTICALES } from './directory.ts';

interface Wording {
  readonly path: string;
  readonly token: PartnerName;
}

export type Question = Wording &
  (
    | { readonly kind: 'list'; readonly params: ListParams }
    | { readonly kind: 'get'; readonly idOrSlug: string; readonly params: GetParams }
  );

export type ListQuestion = Extract<Question, { kind: 'list' }>;

const LIST_PATH = '/v2/external/stores';
const ALL_LANGUAGES: readonly (Language | undefined)[] = [undefined, 'fr', 'en', 'de', 'pl'];
/** With the id, by which lists are walked. */
const SHORT = ['id', 'slug', 'profile.name', 'pageUrl'];
const FIELDS: readonly (readonly string[])[] = [
  SHORT,
  ['id', 'profile', 'localization.current'],
  ['slug', 'profile.description', 'geo.location.point', 'address'],
];

/** Whole stores are many times as long as chosen fields: one question for one in so many, … */
const WHOLE_STORE = 1 / 3;
/** … and one in so many for all stores, whole and in short. */
const WHOLE_DIRECTORY = 1 / 400;
const SHORT_DIRECTORY = 1 / 100;
/** Names sort by language, each by an index of its own, which a process has to read anew every time. */
const ORDERS: readonly Pick<ListParams, 'sort' | 'lang'>[] = [
  { sort: ['profile.name'], lang: 'fr' },
  { sort: ['name__desc'], lang: 'de' },
  { sort: ['slug'] },
  { sort: ['id__desc'] },
];

/** Releases back to which a change counts as of a moment ago. */
const RECENT = 8;

/** Makes questions about a directory that changes. */
export class Questioner {
  private readonly random: Random;
  private stores: readonly SourceStore[] = [];
  /** As they were, and as they are. */
  private readonly changed: SourceStore[] = [];

  constructor(random: Random) {
    this.random = random;
  }

  /** Says that a release goes live. */
  learn(stores: readonly SourceStore[]): void {
    const { changed, stores: before } = this;
    this.stores = stores;
    if (before.length === 0) return;
    changed.push(...without(before, stores), ...without(stores, before));
    while (changed.length > 2 * RECENT) changed.shift();
  }

  next(): Question {
    const { random } = this;
    const makers = [
      ...[this.byId, this.byId, this.bySlug, this.bySlug, this.atRentalPoint],
      ...[this.page, this.ordered, this.near, this.near, this.filtered, this.named],
    ];
    if (random.chance(WHOLE_DIRECTORY)) return this.list(this.wishes(1));
    if (random.chance(SHORT_DIRECTORY)) return this.list({ fields: SHORT });
    return random.pick(makers).call(this);
  }

  /** The first page of a walk by ids. */
  walk(): ListQuestion {
    return this.list({ fields: SHORT, limit: this.random.pick([9, 16, 25]) });
  }

  /** A store that changed a moment ago, or any. */
  private store(): SourceStore {
    const { random, changed, stores } = this;
    return random.pick(changed.length > 0 && random.chance(0.5) ? changed : stores);
  }

  private readonly byId = () => this.get(this.store().id, {});
  private readonly bySlug = () => this.get(this.store().slug, {});

  private readonly atRentalPoint = () => {
    const { id, geo } = this.store();
    const [point] = geo.rentalPoints;
    return this.get(id, point ? { rentalPointSlug: point.slug } : {});
  };

  private readonly page = () =>
    this.list({ limit: 6, skip: 6 * this.random.integer(0, 15), ...this.wishes() });

  private readonly ordered = () =>
    this.list({ ...this.wishes(), limit: 6, ...this.random.pick(ORDERS) });

  private readonly near = () => {
    const { lat: latitude, lng: longitude } = this.random.pick(TOWNS);
    const position = { latitude, longitude, radius: this.random.pick([10, 25, 50]) };
    return this.list({ limit: 6, position, ...this.wishes() });
  };

  private readonly filtered = () =>
    this.list({ limit: 6, verticaleIn: [this.random.pick(VERTICALES)], ...this.wishes() });

  private readonly named = () =>
    this.list({ idIn: [this.store().id, this.store().id, this.store().id], ...this.wishes() });

  /** A language or none, and fields. @param whole the chance that it is all of them */
  private wishes(whole = 0): Pick<GetParams, 'lang' | 'fields'> {
    const { random } = this;
    const lang = random.pick(ALL_LANGUAGES);
    return {
      ...(lang && { lang }),
      ...(random.chance(whole) ? {} : { fields: random.pick(FIELDS) }),
    };
  }

  private get(idOrSlug: string, params: GetParams): Question {
    const all = { ...params, ...this.wishes(WHOLE_STORE) };
    const path = `${LIST_PATH}/${idOrSlug}${queryOf(all)}`;
    return { kind: 'get', idOrSlug, params: all, path, token: this.token() };
  }

  private list(params: ListParams): ListQuestion {
    return { kind: 'list', params, path: `${LIST_PATH}${queryOf(params)}`, token: this.token() };
  }

  private token(): PartnerName {
    return this.random.pick(['plain', 'plain', 'attributed']);
  }
}

function queryOf({ position, ...params }: ListParams & GetParams): string {
  const { lang, limit, skip, after, rentalPointSlug } = params;
  const values: Record<string, string | number | readonly string[] | undefined> = {
    ...{ lang, limit, skip, after, rentalPointSlug },
    fields: params.fields,
    sort: params.sort,
    'id.in': params.idIn,
    'verticale.in': params.verticaleIn,
    'position.latitude': position?.latitude,
    'position.longitude': position?.longitude,
    'position.radius': position?.radius,
  };
  const pairs = Object.entries(values).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${value}`],
  );
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

function without(stores: readonly SourceStore[], others: readonly SourceStore[]): SourceStore[] {
  const known = new Set(others);
  return stores.filter((store) => !known.has(store));
}
