/** Pairs of exports, the later one made of the earlier by edits of what partners see and of what they do not. */
import fc from 'fast-check';
import { Random } from '../../../fixtures/generator/random.ts';
import { type SourceStore, sourceStoreSchema } from '../../../scripts/compile/source-store.ts';
import { randomStore } from './random-stores.ts';
import { buildStore } from './store-builder.ts';

const SEED = 20261122;
const HALF = 200;

/** Awkward stores and plain ones. */
const pool = [
  ...fc.sample(randomStore, { seed: SEED, numRuns: HALF }),
  ...Array.from({ length: HALF }, (_, number) => buildStore(number)),
].map((store) => sourceStoreSchema.parse(JSON.parse(JSON.stringify(store))));

/**
 * Makes pair `number`, always the same: stores, and what becomes of them. Some are edited, gone, new, or have their
 * id in the other case or the slug of another one. Ids and slugs stay unique.
 */
export function randomExports(number: number) {
  const random = new Random(SEED, number);
  const before = withFreeNames(random.sample(pool, random.integer(0, 24)));
  const gone = before.slice(0, random.integer(0, Math.min(before.length, 4)));
  const kept = before.slice(gone.length);
  const edited = random.integer(0, Math.ceil(kept.length / 2));
  const [recased, heirs] = [random.integer(0, 2), random.integer(0, gone.length)];
  const changed = kept.map((store, index) => {
    if (index < edited) return edit(store, random.pick(pool), random);
    const left = kept.length - index;
    if (left <= recased) return { ...store, id: recase(store.id) };
    const slug = gone[left - recased - 1]?.slug;
    return slug !== undefined && left - recased <= heirs ? { ...store, slug } : store;
  });
  const after = withFreeNames([...changed, ...random.sample(pool, random.integer(0, 4))]);
  const named = random.chance(0.5) ? swapSlugs(after, random) : after;
  return { before, after: random.sample(named, named.length) };
}

/** Takes over a part of another store at some depth; it may be the same. */
function edit(store: SourceStore, { id: _, slug: __, ...donor }: SourceStore, random: Random) {
  const mixed = (value: unknown, other: unknown): unknown => {
    if (!isObject(value) || !isObject(other) || random.chance(0.2)) return other;
    const key = random.pick(Object.keys(other));
    return { ...value, [key]: mixed(value[key], other[key]) };
  };
  const field = random.pick(Object.keys(donor) as (keyof typeof donor)[]);
  // A default language has to be available.
  const part = field === 'localization' ? donor[field] : mixed(store[field], donor[field]);
  return { ...store, [field]: part };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The id in the other case: it names the same store. */
function recase(id: string): string {
  const lower = id.toLowerCase();
  return id === lower ? id.toUpperCase() : lower;
}

/** Without the stores whose id, in any case, or slug one before them has. */
function withFreeNames(stores: readonly SourceStore[]): SourceStore[] {
  const taken = new Set<string>();
  return stores.filter(({ id, slug }) => {
    const names = [`id ${id.toLowerCase()}`, slug];
    const isFree = !names.some((name) => taken.has(name));
    for (const name of names) taken.add(name);
    return isFree;
  });
}

/** Gives two stores each other's slugs. */
function swapSlugs(stores: SourceStore[], random: Random): SourceStore[] {
  const [one, other] = random.sample(stores, 2);
  if (!one || !other) return stores;
  return stores.map((store) => {
    if (store === one) return { ...one, slug: other.slug };
    return store === other ? { ...other, slug: one.slug } : store;
  });
}
