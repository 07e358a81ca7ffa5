/** What happens to a store between two exports: for good reasons, and by mistake. */
import type { SourceStore } from '../../../scripts/compile/source-store.ts';

export type StoreChange = (store: SourceStore) => SourceStore;

export const withName =
  (name: string): StoreChange =>
  (store) => ({ ...store, profile: { ...store.profile, name } });

export const withDescription =
  (text: string): StoreChange =>
  (store) => {
    const languages = Object.keys(store.profile.description);
    const description = Object.fromEntries(languages.map((language) => [language, text]));
    return { ...store, profile: { ...store.profile, description } };
  };

export const withoutVerticales: StoreChange = (store) => ({
  ...store,
  profile: { ...store.profile, verticales: [] },
});

export const hidden: StoreChange = (store) => ({
  ...store,
  geo: { ...store.geo, displayAddress: false },
});

/** The main location at another point. */
export const at =
  (move: (point: { lat: number; lng: number }) => { lat: number; lng: number }): StoreChange =>
  (store) => {
    const { main } = store.geo;
    return { ...store, geo: { ...store.geo, main: { ...main, point: move(main.point) } } };
  };

export const swapped = at(({ lat, lng }) => ({ lat: lng, lng: lat }));

/** Something that no guard has a row of its own for. */
export const edited: StoreChange = (store) => ({
  ...store,
  branding: { ...store.branding, logoURL: `${store.branding.logoURL}?edited` },
});

/** The first `count` stores changed, the others as they are. */
export function first(
  count: number,
  stores: readonly SourceStore[],
  change: StoreChange,
): SourceStore[] {
  return stores.map((store, index) => (index < count ? change(store) : store));
}
