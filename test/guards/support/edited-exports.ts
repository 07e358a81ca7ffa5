/** Exports of the next hour, made from those of this one by edits of single fields. */
import type { SourceStore } from '../../../scripts/compile/source-store.ts';

export interface ExportCase {
  readonly name: string;
  readonly change: (stores: readonly SourceStore[]) => SourceStore[];
  /** Rows of the guards that the data team passes by hand. */
  readonly allow?: readonly string[];
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

/** So many of the stores, evenly spread. */
export function share(stores: readonly SourceStore[], part: number): Set<SourceStore> {
  const before = (index: number) => Math.floor(index * part + 1e-9);
  return new Set(stores.filter((_, index) => before(index + 1) > before(index)));
}

/** The export with `part` of the stores edited. */
export function edited(name: string, part: number, ...edits: readonly Edit[]): ExportCase {
  return { name, change: (stores) => edit(stores, share(stores, part), edits) };
}

/** The export with those stores edited that are chosen. */
export function edit(
  stores: readonly SourceStore[],
  chosen: ReadonlySet<SourceStore>,
  edits: readonly Edit[],
): SourceStore[] {
  return stores.map((store, index) => {
    if (!chosen.has(store)) return store;
    const next = stores[(index + 1) % stores.length] ?? store;
    return edits.reduce((changed, [path, change]) => {
      const at = (value: unknown) =>
        typeof change === 'function' ? change(value as never, { store, next, index }) : change;
      return put(changed, path.split('.'), at) as SourceStore;
    }, store);
  });
}

/** Nothing lies below null; a step that is not there is a mistake in the path. */
function put(
  value: unknown,
  [step, ...rest]: readonly string[],
  change: (value: unknown) => unknown,
): unknown {
  if (step === undefined) return change(value);
  if (value === null) return null;
  if (step === '*') {
    if (Array.isArray(value)) return value.map((item) => put(item, rest, change));
    return mapped(value as object, (item) => put(item, rest, change));
  }
  const fields = value as Record<string, unknown>;
  if (!Object.hasOwn(fields, step)) throw new Error(`no field ${step} in a store`);
  return { ...fields, [step]: put(fields[step], rest, change) };
}

function mapped(fields: object, change: (value: unknown) => unknown): object {
  return Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, change(value)]));
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

/** An edit of a text, or of each of its languages. */
export function localized(change: (text: string) => string) {
  return (text: string | object) =>
    typeof text === 'string' ? change(text) : mapped(text, (value) => change(String(value)));
}

/** An edit of everything that people have written. */
export function texts(change: (text: string) => string): Edit[] {
  return [
    ['profile.name', change],
    ['profile.description.*', change],
    ...places('name', localized(change)),
    ...places('address', change),
    ...places('components.*', change),
    ...places('canonicalComponents.*', change),
    ['reviews.external.reviews.*.comment', change],
    ['reviews.external.reviews.*.author.name', change],
    ['pricing.tax.name', localized(change)],
    ['booking.fixedDurations.durations.*.label', localized(change)],
  ];
}

export const times = (factor: number) => (value: number) => Math.round(value * factor * 100) / 100;

/** HH:mm, so many hours later on the clock. */
export const hoursLater = (hours: number) => (time: string) => {
  const hour = (Number(time.slice(0, 2)) + hours + 24) % 24;
  return `${String(hour).padStart(2, '0')}${time.slice(2)}`;
};

export const daysLater = (days: number) => (time: string | null) =>
  time === null ? null : new Date(Date.parse(time) + days * 86_400_000).toISOString();
