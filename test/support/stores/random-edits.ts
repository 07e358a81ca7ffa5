/** Later exports of the same directory: random edits, of what partners see and of what they do not. */
import type { Random } from '../../../fixtures/generator/random.ts';
import type {
  LocalizedText,
  SourceLocation,
  SourceStore,
} from '../../../scripts/compile/source-store.ts';
import { LANGUAGES, VERTICALES } from '../../../src/model/enumerations.ts';

type Edit = (store: SourceStore, random: Random) => SourceStore;

/** Another text in one language, or a text in a language that had none. */
function editText(text: LocalizedText, random: Random): LocalizedText {
  const word = `edited ${random.bits()}`;
  return typeof text === 'string' ? word : { ...text, [random.pick(LANGUAGES)]: word };
}

function editMain(store: SourceStore, change: Partial<SourceLocation>): SourceStore {
  const main = { ...store.geo.main, ...change };
  return { ...store, geo: { ...store.geo, main } };
}

const editDescription: Edit = (store, random) => {
  const { description } = store.profile;
  const edited = editText(description, random) as typeof description;
  return { ...store, profile: { ...store.profile, description: edited } };
};

const editTax: Edit = (store, random) => {
  const tax = { ...store.pricing.tax, name: editText(store.pricing.tax.name, random) };
  return { ...store, pricing: { ...store.pricing, tax } };
};

const editLabels: Edit = (store, random) => {
  const { fixedDurations } = store.booking;
  const durations = fixedDurations.durations.map((duration) => ({
    ...duration,
    label: editText(duration.label, random),
  }));
  const edited = { ...fixedDurations, durations };
  return { ...store, booking: { ...store.booking, fixedDurations: edited } };
};

const editPoints: Edit = (store, random) => {
  const rentalPoints = store.geo.rentalPoints.map((point) => ({
    ...point,
    name: editText(point.name, random),
  }));
  return { ...store, geo: { ...store.geo, rentalPoints } };
};

const editPlace: Edit = (store, random) => {
  const { external } = store.reviews;
  if (!external) return store;
  const placeId = `place-${random.bits()}`;
  return { ...store, reviews: { external: { ...external, placeId, mapsUrl: placeId } } };
};

/** Each changes a store in one way; some do nothing that is seen, where the address is hidden. */
const EDITS: readonly Edit[] = [
  (store, random) => ({
    ...store,
    profile: { ...store.profile, name: `Name ${random.bits()}` },
  }),
  (store, random) => ({
    ...store,
    profile: { ...store.profile, verticales: random.sample(VERTICALES, random.integer(0, 3)) },
  }),
  editDescription,
  editTax,
  editLabels,
  editPoints,
  editPlace,
  (store) => ({
    ...store,
    geo: { ...store.geo, displayAddress: !store.geo.displayAddress },
  }),
  (store, random) => editMain(store, { point: { lat: random.decimal(-80, 80, 5), lng: 10 } }),
  (store, random) => editMain(store, { address: `Street ${random.bits()}` }),
  (store, random) => ({ ...store, slug: `slug-${random.bits()}` }),
  // The same as it was, by other words.
  (store) => JSON.parse(JSON.stringify(store)),
];

/** How much changes from one export to the next, in stores of the earlier one. */
export interface EditPlan {
  readonly edited: number;
  readonly removed: number;
  /** Ids and slugs that are in use already. */
  readonly added: readonly SourceStore[];
  /** Stores whose id is written in the other case. */
  readonly recased?: number;
  /** Pairs of stores of which one takes the slug of the other, which gets a new one. */
  readonly passedOn: number;
}

/** The id in the other case: it names the same store. */
export function recase(id: string): string {
  const lower = id.toLowerCase();
  return id === lower ? id.toUpperCase() : lower;
}

/** The next export, in any order. Ids and slugs stay unique. */
export function editStores(
  stores: readonly SourceStore[],
  { edited, removed, added, passedOn, recased = 0 }: EditPlan,
  random: Random,
): SourceStore[] {
  const kept = random.sample(stores, stores.length - removed);
  const gone = stores.filter((store) => !kept.includes(store));
  const changed = kept.map((store, place) => {
    const next = place < edited ? random.pick(EDITS)(store, random) : store;
    return place < kept.length - recased ? next : { ...next, id: recase(next.id) };
  });
  const next = [...changed, ...withFreeNames(added, changed)];
  for (let pair = 0; pair < passedOn && next.length > 1; pair++) passSlugOn(next, gone, random);
  return random.sample(next, next.length);
}

/** Those of `added` whose id, in any case, and slug no store of `taken` has. */
function withFreeNames(
  added: readonly SourceStore[],
  taken: readonly SourceStore[],
): readonly SourceStore[] {
  const ids = new Set(taken.map(({ id }) => id.toLowerCase()));
  const slugs = new Set(taken.map(({ slug }) => slug));
  return added.filter(({ id, slug }) => {
    const isFree = !ids.has(id.toLowerCase()) && !slugs.has(slug);
    ids.add(id.toLowerCase());
    slugs.add(slug);
    return isFree;
  });
}

/** A store gets the slug of a removed one, or of another one, which then has a new one. */
function passSlugOn(stores: SourceStore[], gone: readonly SourceStore[], random: Random): void {
  const heir = random.integer(0, stores.length - 1);
  const [from] = random.sample(
    gone.filter(({ slug }) => stores.every((store) => store.slug !== slug)),
    1,
  );
  if (from) {
    stores[heir] = { ...(stores[heir] as SourceStore), slug: from.slug };
    return;
  }
  const giver = (heir + 1) % stores.length;
  const { slug } = stores[giver] as SourceStore;
  stores[giver] = { ...(stores[giver] as SourceStore), slug: `new-${random.bits()}` };
  stores[heir] = { ...(stores[heir] as SourceStore), slug };
}
