/** Later exports of the same directory: random edits, of what partners see and of what they do not. */
import type { Random } from '../../../fixtures/generator/random.ts';
import type {
  LanguageMap,
  LocalizedText,
  SourceStore,
} from '../../../scripts/compile/source-store.ts';
import { LANGUAGES, VERTICALES } from '../../../src/model/enumerations.ts';

/** Another text in one language, or a text in a language that had none. */
function editText<Text extends LocalizedText>(text: Text, random: Random): Text {
  const word = `edited ${random.bits()}`;
  const edited =
    typeof text === 'string' ? word : { ...(text as LanguageMap), [random.pick(LANGUAGES)]: word };
  return edited as Text;
}

/** Each changes a copy in one way; some do nothing that is seen, where the address is hidden. */
const EDITS: readonly ((store: SourceStore, random: Random) => void)[] = [
  ({ profile }, random) => {
    profile.name = `Name ${random.bits()}`;
  },
  ({ profile }, random) => {
    profile.verticales = random.sample(VERTICALES, random.integer(0, 3));
  },
  ({ profile }, random) => {
    profile.description = editText(profile.description, random);
  },
  ({ pricing: { tax } }, random) => {
    tax.name = editText(tax.name, random);
  },
  ({ booking }, random) => {
    for (const each of booking.fixedDurations.durations) each.label = editText(each.label, random);
  },
  ({ geo }, random) => {
    for (const point of geo.rentalPoints) point.name = editText(point.name, random);
  },
  ({ reviews: { external } }, random) => {
    if (!external) return;
    external.placeId = `place-${random.bits()}`;
    external.mapsUrl = external.placeId;
  },
  ({ geo }) => {
    geo.displayAddress = !geo.displayAddress;
  },
  ({ geo }, random) => {
    geo.main.point = { lat: random.decimal(-80, 80, 5), lng: 10 };
  },
  ({ geo }, random) => {
    geo.main.address = `Street ${random.bits()}`;
  },
  (store, random) => {
    store.slug = `slug-${random.bits()}`;
  },
  // The same as it was, by other words.
  () => {},
];

function edit(store: SourceStore, random: Random): SourceStore {
  const copy = structuredClone(store);
  random.pick(EDITS)(copy, random);
  return copy;
}

/** How much changes from one export to the next, in stores of the earlier one. */
interface EditPlan {
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
function recase(id: string): string {
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
    const next = place < edited ? edit(store, random) : store;
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
