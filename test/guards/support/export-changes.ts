/** Exports of the next hour, made from this hour's by changes of single fields. */
import { changeAt } from '../../../fixtures/changed-store.ts';
import { generateStores } from '../../../fixtures/generator/store.ts';
import type { SourceStore } from '../../../scripts/compile/source-store.ts';

export type StoreChange = (store: SourceStore) => SourceStore;
type Stores = readonly SourceStore[];
export type Point = SourceStore['geo']['main']['point'];
type Range = SourceStore['temporal']['schedule']['closedRanges'][number];

interface Around {
  readonly store: SourceStore;
  readonly next: SourceStore;
  readonly index: number;
}

/** What a field becomes, or what makes it from the value that is there. */
type FieldChange =
  | ((value: never, around: Around) => unknown)
  | string
  | number
  | boolean
  | object
  | null;

/** How the next export comes about: the stores that it has, or what becomes of a field in `part` of the stores. */
export type ExportChange =
  | [change: (stores: Stores) => SourceStore[]]
  | [part: number, path: string, change: FieldChange];

export function nextExport(stores: Stores, how: ExportChange): SourceStore[] {
  if (how.length === 1) return how[0](stores);
  const [part, path, change] = how;
  const chosen = share(stores, part);
  let isFound = false;
  const next = stores.map((store, index) => {
    const around = { store, next: stores[(index + 1) % stores.length] ?? store, index };
    const become = (value: unknown) => {
      isFound ||= value !== undefined;
      return typeof change === 'function' ? change(value as never, around) : change;
    };
    return chosen.has(store) ? changeAt(store, path, become) : store;
  });
  if (!isFound) throw new Error(`no store has ${path}`);
  return next;
}

/** So many of the stores, evenly spread. */
export function share(stores: Stores, part: number): Set<SourceStore> {
  const before = (index: number) => Math.floor(index * part + 1e-9);
  return new Set(stores.filter((_, index) => before(index + 1) > before(index)));
}

/** The first `count` stores changed, the others as they are. */
export function first(count: number, stores: Stores, change: StoreChange): SourceStore[] {
  return stores.map((store, index) => (index < count ? change(store) : store));
}

/** Stores that no other seed makes. */
export const FOREIGN = [...generateStores(150, { seed: 70_021, languages: 2 })].map((store) => ({
  ...store,
  slug: `${store.slug}-foreign`,
}));

export const closed = 'temporal.schedule.closedRanges';
export const hours = 'temporal.schedule.openingHours';

/** Closes stores on further days. */
export const closing = (from: string, to: string) => (ranges: readonly Range[]) => [
  ...ranges,
  { id: from, from: `${from}T00:00:00.000Z`, to: `${to}T23:59:59.999Z` },
];

export const later = (days: number) => (ranges: readonly Range[]) => {
  const after = (date: string) => new Date(Date.parse(date) + days * 86_400_000).toISOString();
  return ranges.map(({ id, from, to }) => ({ id, from: after(from), to: after(to) }));
};

export const times = (factor: number) => (value: number) => Math.round(value * factor * 100) / 100;

/** The change of a store that changes a field. */
export const changing =
  (path: string, change: ((value: never) => unknown) | object | string | boolean): StoreChange =>
  (store) =>
    changeAt(store, path, (value) =>
      typeof change === 'function' ? change(value as never) : change,
    );

export const withName = (name: string) => changing('profile.name', name);
export const withDescription = (text: string) => changing('profile.description.*', text);
export const withVerticales = (words: readonly string[]) => changing('profile.verticales', words);
export const withoutVerticale = (verticale: string) =>
  changing('profile.verticales', (words: readonly string[]) =>
    words.filter((word) => word !== verticale),
  );
export const hidden = changing('geo.displayAddress', false);

/** The main location at another point. */
export const at = (move: (point: Point) => Point) => changing('geo.main.point', move);
export const swapped = at(({ lat, lng }) => ({ lat: lng, lng: lat }));

/** Something that no guard has a row of its own for. */
export const rebranded = changing('branding.logoURL', (url: string) => `${url}?edited`);
