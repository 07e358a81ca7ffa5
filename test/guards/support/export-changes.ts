/** Exports of the next hour, made from those of this one by edits of single fields. */
import type { SourceStore } from '../../../scripts/compile/source-store.ts';

export type StoreChange = (store: SourceStore) => SourceStore;

export interface ExportCase {
  readonly name: string;
  readonly change: (stores: readonly SourceStore[]) => SourceStore[];
}

interface Around {
  readonly store: SourceStore;
  readonly next: SourceStore;
  readonly index: number;
}

type Change = (value: never, around: Around) => unknown;
type Constant = string | number | boolean | null | readonly unknown[];

/** What the field at a path becomes; `*` in a path stands for every item or value. */
export type Edit = readonly [path: string, change: Change | Constant];

function edit(edits: readonly Edit[], around: Around): SourceStore {
  return edits.reduce((changed, [path, change]) => {
    const at = (value: unknown) =>
      typeof change === 'function' ? change(value as never, around) : change;
    return put(changed, path.split('.'), at) as SourceStore;
  }, around.store);
}

/** The change of a store that edits these fields. */
export const changing =
  (...edits: readonly Edit[]): StoreChange =>
  (store) =>
    edit(edits, { store, next: store, index: 0 });

/** Nothing lies below null; a step that is not there is a mistake in the path. */
function put(
  value: unknown,
  [step, ...rest]: readonly string[],
  change: (value: unknown) => unknown,
): unknown {
  if (step === undefined) return change(value);
  if (value === null) return null;
  if (Array.isArray(value)) return value.map((item) => put(item, rest, change));
  const fields = Object.entries(value as object);
  if (step !== '*' && !Object.hasOwn(value as object, step)) {
    throw new Error(`no field ${step} in a store`);
  }
  const isMeant = (key: string) => step === '*' || step === key;
  return Object.fromEntries(
    fields.map(([key, each]) => [key, isMeant(key) ? put(each, rest, change) : each]),
  );
}

/** So many of the stores, evenly spread. */
export function share(stores: readonly SourceStore[], part: number): Set<SourceStore> {
  const before = (index: number) => Math.floor(index * part + 1e-9);
  return new Set(stores.filter((_, index) => before(index + 1) > before(index)));
}

/** The export with `part` of the stores edited. */
export function edited(name: string, part: number, ...edits: readonly Edit[]): ExportCase {
  return {
    name,
    change: (stores) => {
      const chosen = share(stores, part);
      return stores.map((store, index) => {
        const next = stores[(index + 1) % stores.length] ?? store;
        return chosen.has(store) ? edit(edits, { store, next, index }) : store;
      });
    },
  };
}

/** The first `count` stores changed, the others as they are. */
export function first(
  count: number,
  stores: readonly SourceStore[],
  change: StoreChange,
): SourceStore[] {
  return stores.map((store, index) => (index < count ? change(store) : store));
}

/** The field as the next store has it: what a join by the wrong row gives. */
export function ofNext(path: string): Edit {
  const steps = path.split('.');
  return [
    path,
    (_: unknown, { next }) =>
      steps.reduce<unknown>((value, step) => (value as Record<string, unknown>)[step], next),
  ];
}

/** An edit of the main location and of all rental points. */
export function places(path: string, change: Edit[1]): Edit[] {
  return [
    [`geo.main.${path}`, change],
    [`geo.rentalPoints.*.${path}`, change],
  ];
}

/** An edit of a part of addresses, in both languages. */
export function addressPart(part: string, change: Edit[1]): Edit[] {
  return [
    ...places(`components.${part}`, change),
    ...places(`canonicalComponents.${part}`, change),
  ];
}

export const times = (factor: number) => (value: number) => Math.round(value * factor * 100) / 100;

export const withName = (name: string) => changing(['profile.name', name]);
export const withDescription = (text: string) => changing(['profile.description.*', text]);
export const withVerticales = (words: readonly string[]) => changing(['profile.verticales', words]);
export const withoutVerticale = (verticale: string) =>
  changing([
    'profile.verticales',
    (words: readonly string[]) => words.filter((word) => word !== verticale),
  ]);
export const hidden = changing(['geo.displayAddress', false]);

type Point = SourceStore['geo']['main']['point'];

/** The main location at another point. */
export const at = (move: (point: Point) => Point) => changing(['geo.main.point', move]);
export const swapped = at(({ lat, lng }) => ({ lat: lng, lng: lat }));

/** Something that no guard has a row of its own for. */
export const rebranded = changing(['branding.logoURL', (url: string) => `${url}?edited`]);
