/** Which stores differ between two releases, as the index parts tell, and what differs in those that changed. */
import type { StoredRecords } from '../../src/load/loaded-release.ts';
import { LANGUAGES, type Language } from '../../src/model/enumerations.ts';
import { isRequested, STORE_FIELDS, type StoreField, storeSchema } from '../../src/model/store.ts';
import { compareReleases } from '../../src/query/store-changes.ts';
import { AnswerBuffer } from '../../src/render/answer-buffer.ts';
import { StoreView } from '../../src/render/store-view.ts';
import type { Chunk } from '../../src/snapshot/chunks.ts';
import type { StoreName } from '../../src/snapshot/compared-stores.ts';
import type { ReleaseReader } from '../build/release-reader.ts';
import type { CommandContext } from '../cli/run-command.ts';
import { fieldOf, shorten } from '../source/fault.ts';
import { isObject, type JsonObject } from '../source/values-in.ts';

/** A store of the later release, by its ordinals; `before` is null where it was added. */
export interface StorePair<Before = number | null> extends StoreName {
  readonly before: Before;
  readonly after: number;
}

export type ReleaseDiff = Awaited<ReturnType<typeof diffReleases>>;

/**
 * Lists the stores that were added, removed, and changed, in order of id. What is held in memory grows
 * with the number of stores, never with their size.
 * @param live null: no release is live
 * @throws CommandError release_damaged when a release cannot be read
 */
export async function diffReleases(live: ReleaseReader | null, next: ReleaseReader) {
  const { release, storeCount: stores } = next.manifest;
  const diff = {
    /** The release that is live, and null when none is. */
    live: live?.manifest.release ?? null,
    release,
    liveStores: live?.manifest.storeCount ?? 0,
    stores,
    added: [] as StorePair<null>[],
    removed: [] as StoreName[],
    changed: [] as StorePair<number>[],
    /** The `paths` that `readChanges` has found in changed stores: in all, or in a sample. */
    lookedAt: [] as (readonly string[])[],
  };
  // Equal ids stand for equal content, whatever has become of the objects.
  if (diff.live === release) return diff;
  const is = await next.compared();
  const was = await live?.compared();
  const pairs = was
    ? compareReleases(was, is)
    : Array.from({ length: stores }, (_, after) => ({ before: null, after }));
  for (const { before, after } of pairs) {
    if (after === null) diff.removed.push(was?.names.name(before as number) as StoreName);
    else if (before === null) diff.added.push({ ...is.names.name(after), before, after });
    else diff.changed.push({ ...is.names.name(after), before, after });
  }
  return diff;
}

/** Stores compared at once: their chunks are read together. */
const COMPARED_AT_ONCE = 100;

/** Characters shown before the first difference of two long values. */
const SHARED_LENGTH = 10;

/** Fields whose values may depend on the language. */
const LOCALIZED_FIELDS = new Set(['profile', 'localization', 'geo', 'pricing', 'booking']);

/**
 * The fields that are compared. Deprecated ones follow their replacements; the slug of the queried
 * rental point shows in `geo`, and what requests add is no part of a record.
 */
const COMPARED_FIELDS = STORE_FIELDS.filter(
  (field) =>
    field !== 'rentalPointSlug' &&
    !isRequested(field) &&
    storeSchema.shape[field].meta()?.deprecated !== true,
);

/** A value that differs; undefined where there is none. */
export interface ValueDifference {
  /** Of an answer: dotted, elements of lists by number. */
  readonly path: string;
  /** Null: in answers without a language too. */
  readonly language: Language | null;
  readonly before: unknown;
  readonly after: unknown;
}

/** A store of the later release. */
export interface StoreChange {
  readonly store: StoreName;
  /** Where it differs: dotted, `*` for any element of a list, in contract order, without the deprecated ones. */
  readonly paths: readonly string[];
  readonly differences: readonly ValueDifference[];
  /** Where `readRecord` finds it; `was` is null where the store was added. */
  readonly was: StoredRecords | null;
  readonly is: StoredRecords;
  readonly index: number;
}

/**
 * Reads the records of stores, finds where the records of changed stores differ, and notes that in `diff`.
 * @param pairs some that `diff` has, either changed or added ones
 * @throws CommandError release_damaged
 */
export async function* readChanges(
  diff: ReleaseDiff,
  live: ReleaseReader | null,
  next: ReleaseReader,
  pairs: readonly StorePair[],
  { progress, signal }: Pick<CommandContext, 'progress' | 'signal'>,
): AsyncGenerator<StoreChange> {
  progress.begin('Comparing', pairs.length, 'stores');
  for (let start = 0; start < pairs.length; start += COMPARED_AT_ONCE) {
    signal.throwIfAborted();
    const group = pairs.slice(start, start + COMPARED_AT_ONCE);
    const ordinals = group.flatMap(({ before }) => before ?? []);
    const was = live && ordinals.length > 0 ? await live.records(ordinals) : null;
    const is = await next.records(group.map(({ after }) => after));
    for (const [index, { id, slug }] of group.entries()) {
      const differences = was ? findDifferences(was, is, index) : [];
      const paths = [...new Set(differences.map(({ path }) => fieldOf(path)))];
      if (was) diff.lookedAt.push(paths);
      yield { store: { id, slug }, paths, differences, was, is, index };
    }
    progress.update(start + group.length);
  }
}

/** Returns every value in which two records of a store differ, in contract order, each once, however many languages show it. */
function findDifferences(was: StoredRecords, is: StoredRecords, index: number): ValueDifference[] {
  const found = new Map<string, ValueDifference>();
  for (const field of COMPARED_FIELDS) {
    for (const language of LOCALIZED_FIELDS.has(field) ? [null, ...LANGUAGES] : [null]) {
      const [from, to] = [was, is].map((records) => fieldText(records, index, field, language));
      // Most fields are the same, which their texts tell soonest.
      if (!from || !to || from === to) continue;
      for (const difference of differencesIn(JSON.parse(from), JSON.parse(to), '')) {
        const key = JSON.stringify(difference);
        if (!found.has(key)) found.set(key, { ...difference, language });
      }
    }
  }
  return [...found.values()];
}

/** Lists of different lengths differ as a whole: it is unknown which elements belong together. */
function* differencesIn(
  before: unknown,
  after: unknown,
  path: string,
): Generator<Omit<ValueDifference, 'language'>> {
  if (before === after) return;
  const isList = Array.isArray(before) && Array.isArray(after) && before.length === after.length;
  if (!isList && !(isObject(before) && isObject(after))) {
    yield { path, before, after };
    return;
  }
  const [from, to] = [before as JsonObject, after as JsonObject];
  for (const key of Object.keys({ ...from, ...to })) {
    yield* differencesIn(from[key], to[key], path === '' ? key : `${path}.${key}`);
  }
}

/** Reads a store as answers without a language have it, with its `descriptions` in each. */
export function readRecord(records: StoredRecords, index: number): JsonObject {
  const read = (field: StoreField, language: Language | null) =>
    JSON.parse(fieldText(records, index, field, language));
  const fields = COMPARED_FIELDS.map((field) => read(field, null));
  const descriptions = LANGUAGES.map((each) => [each, read('profile', each).profile.description]);
  return Object.assign({ descriptions: Object.fromEntries(descriptions) }, ...fields);
}

/** Takes one field at a time. */
const buffer = new AnswerBuffer();

/** Returns the JSON of an object with one field of a record, as answers in a language have it. */
function fieldText(
  { chunks, indexes }: StoredRecords,
  index: number,
  field: StoreField,
  language: Language | null,
): string {
  const view = new StoreView(buffer, language, null);
  buffer.clear();
  view.moveTo(chunks[index] as Chunk, indexes[index] as number, 0, {});
  view.addField(field);
  return `{${new TextDecoder().decode(buffer.toBytes())}}`;
}

/**
 * Returns two values as JSON, shortened: from where they begin to differ if their beginnings do not tell them apart.
 * Null where there is none.
 */
export function showValues(before: unknown, after: unknown) {
  const [was = null, is = null] = [before, after].map((value) => JSON.stringify(value));
  let start = 0;
  const show = (text: string | null) => text && shorten(start > 0 ? `…${text.slice(start)}` : text);
  if (was && is && was !== is && show(was) === show(is)) {
    while (was[start + SHARED_LENGTH] === is[start + SHARED_LENGTH]) start++;
  }
  return { before: show(was), after: show(is) };
}
