/** What changed from one export to the next, told by all answers that partners can get. */
import type { Change } from '../../../client/src/index.ts';
import { type SourceStore, sourceStoreSchema } from '../../../scripts/compile/source-store.ts';
import { LANGUAGES } from '../../../src/model/enumerations.ts';
import type { StoreField } from '../../../src/model/store.ts';
import { describeStore } from './store-answer.ts';

/** Everything but the deprecated fields, which follow from others, and what depends on the request. */
const FIELDS = Object.keys(sourceStoreSchema.shape) as readonly StoreField[];

interface ExpectedChange extends Change {
  /** Those that differ in an answer, where the store was there before and is there still. */
  readonly fields: readonly StoreField[];
}

/** Ordered by id in small letters: ids that differ in capitals only are one. */
export function expectedChanges(
  before: readonly SourceStore[],
  after: readonly SourceStore[],
): ExpectedChange[] {
  const [old, next] = [before, after].map(
    (stores) => new Map(stores.map((store) => [store.id.toLowerCase(), store])),
  ) as [Map<string, SourceStore>, Map<string, SourceStore>];
  return [...new Set([...old.keys(), ...next.keys()])].sort().flatMap((key) => {
    const [was, is] = [old.get(key), next.get(key)];
    const change = !was ? 'added' : !is ? 'removed' : 'changed';
    const fields = was && is ? differentFields(was, is) : [];
    const { id, slug } = (is ?? was) as SourceStore;
    return change === 'changed' && fields.length === 0 ? [] : [{ id, slug, change, fields }];
  });
}

/** Compares the store in every language; `geo` has all its locations. */
function differentFields(was: SourceStore, is: SourceStore): StoreField[] {
  if (was === is) return [];
  const answers = [undefined, ...LANGUAGES].map((lang) => {
    return [describeStore(was, { lang }), describeStore(is, { lang })] as const;
  });
  const text = (value: unknown) => JSON.stringify(value, sortKeys);
  return FIELDS.filter((field) =>
    answers.some(([then, now]) => text(then[field]) !== text(now[field])),
  );
}

/** For JSON: the keys of every object in one order. */
function sortKeys(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
