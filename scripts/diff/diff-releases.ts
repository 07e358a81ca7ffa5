/** What a release would change against another: stores added, removed, changed, their fields and values. */
import type { StoredRecords } from '../../src/load/loaded-release.ts';
import { LANGUAGES, type Language } from '../../src/model/enumerations.ts';
import { STORE_FIELDS, type StoreField, storeSchema } from '../../src/model/store.ts';
import { SegmentList } from '../../src/render/segment-list.ts';
import { StoreView } from '../../src/render/store-view.ts';
import type { Chunk } from '../../src/snapshot/chunks.ts';
import type { StoreName } from '../../src/snapshot/compared-stores.ts';
import type { Manifest } from '../../src/snapshot/manifest.ts';
import type { ReleaseReader } from '../build/release-reader.ts';
import { CommandError } from '../cli/command-error.ts';
import type { Progress } from '../cli/progress.ts';
import { fieldOf, shorten } from '../source/fault.ts';
import { pairStores, type StorePair } from './compare-places.ts';

/** Fewer changes than this have no pattern. */
const FEWEST_FOR_PATTERN = 3;

/** Stores compared at once: their chunks are read together. */
const COMPARED_AT_ONCE = 100;

/** Fields whose values may depend on the language. */
const LOCALIZED_FIELDS: ReadonlySet<StoreField> = new Set([
  'profile',
  'localization',
  'geo',
  'pricing',
  'booking',
]);

/**
 * The fields that are compared. Deprecated ones follow their replacements; the slug of the queried
 * rental point shows in `geo` and the distance is no part of a record.
 */
const COMPARED_FIELDS = STORE_FIELDS.filter(
  (field) =>
    field !== 'rentalPointSlug' &&
    field !== 'distance' &&
    storeSchema.shape[field].meta()?.deprecated !== true,
);

/** A record: the chunk it is in, and its number there. */
export interface RecordPlace {
  readonly chunk: Chunk;
  readonly index: number;
}

/** A value that differs; undefined where there is none. */
export interface ValueDifference {
  /** Of an answer: dotted, elements of lists by number. */
  readonly path: string;
  /** Null: in answers without a language too. */
  readonly language: Language | null;
  readonly before: unknown;
  readonly after: unknown;
}

/** A store as answers have it, without the fields that are not compared. */
export type StoreRecord = Readonly<Record<string, unknown>>;

export interface ChangedStore extends StoreName {
  /** In contract order, without the deprecated ones. */
  readonly fields: readonly StoreField[];
}

/** A changed store, with what stood there and what stands there now. */
export interface DetailedChange extends ChangedStore {
  readonly values: readonly ReturnType<typeof showDifference>[];
}

/** Both records of a changed store, for as long as it is told of them, and where they differ. */
export interface ComparedRecords {
  readonly before: RecordPlace;
  readonly after: RecordPlace;
  readonly differences: readonly ValueDifference[];
}

export type ReleaseDiff = Awaited<ReturnType<typeof diffReleases>>;

export interface CompareOptions {
  readonly progress: Progress;
  readonly signal: AbortSignal;
  /** When more stores have changed than this, the records of so many are read, evenly spread. */
  readonly maxRead: number;
  /** Told of each changed store whose records are read, in order of id. */
  readonly onChanged?: (store: ChangedStore, records: ComparedRecords) => void;
}

/**
 * Compares a release with the live one (null: none is live). What is held in memory grows
 * with the number of stores, never with their size.
 * @throws CommandError release_damaged when a release cannot be read
 */
export async function diffReleases(
  live: ReleaseReader | null,
  next: ReleaseReader,
  options: CompareOptions,
) {
  const pairs = await pairStores(live, next);
  return {
    /** The release that is live, and null when none is. */
    live: live?.manifest.release ?? null,
    release: next.manifest.release,
    liveStores: live?.manifest.storeCount ?? 0,
    stores: next.manifest.storeCount,
    ...pairs,
    ...(await readChanges(live, next, sampleOf(pairs.changed, options.maxRead), options)),
  };
}

/** At most so many of all, evenly spread. */
export function sampleOf<T>(all: readonly T[], max: number): readonly T[] {
  if (all.length <= max) return all;
  const step = all.length / max;
  return Array.from({ length: max }, (_, index) => all[Math.floor(index * step)] as T);
}

async function readChanges(
  before: ReleaseReader | null,
  after: ReleaseReader,
  pairs: readonly StorePair[],
  { progress, signal, onChanged }: CompareOptions,
) {
  const lookedAt: ChangedStore[] = [];
  if (!before || pairs.length === 0) return { lookedAt, soleField: null };
  const soleFields = new Map<string, number>();
  progress.begin('Comparing', pairs.length, 'stores');
  for (let start = 0; start < pairs.length; start += COMPARED_AT_ONCE) {
    signal.throwIfAborted();
    const group = pairs.slice(start, start + COMPARED_AT_ONCE);
    const recordsBefore = await before.records(group.map(({ live }) => live));
    const recordsAfter = await after.records(group.map(({ next }) => next));
    for (const [place, { id, slug }] of group.entries()) {
      const pair = [recordAt(recordsBefore, place), recordAt(recordsAfter, place)] as const;
      const differences = findDifferences(...pair);
      const fields = new Set(differences.map(({ path }) => path.split('.')[0]));
      const store = { id, slug, fields: [...fields] as StoreField[] };
      lookedAt.push(store);
      const [path, ...others] = new Set(differences.map((each) => fieldOf(each.path)));
      if (path && others.length === 0) soleFields.set(path, (soleFields.get(path) ?? 0) + 1);
      onChanged?.(store, { before: pair[0], after: pair[1], differences });
    }
    progress.update(start + group.length);
  }
  return {
    /** Those whose records were read: all, or a sample of them. */
    lookedAt,
    /** A field that alone makes most of the changes among those; null when no field does. */
    soleField: mostOf(soleFields, lookedAt.length),
  };
}

/** Every value in which two records of a store differ, in contract order, each once, however many languages show it. */
function findDifferences(before: RecordPlace, after: RecordPlace): ValueDifference[] {
  return COMPARED_FIELDS.flatMap((field) => {
    const found = new Map<string, ValueDifference>();
    const languages = LOCALIZED_FIELDS.has(field) ? [null, ...LANGUAGES] : [null];
    for (const language of languages) {
      const texts = [
        fieldText(before, field, language),
        fieldText(after, field, language),
      ] as const;
      // Most fields are the same, which their texts tell soonest.
      if (Buffer.compare(...texts) === 0) continue;
      const [was, is] = texts.map((text) => parseField(text, field));
      for (const [path, from, to] of differences(was, is, field)) {
        const key = `${path} ${showValue(from)} ${showValue(to)}`;
        if (!found.has(key)) found.set(key, { path, language, before: from, after: to });
      }
    }
    return [...found.values()];
  });
}

/** The values as reports show them: JSON, shortened; null when there is none. */
export function showDifference({ path, language, before, after }: ValueDifference) {
  return { path, language, before: showValue(before), after: showValue(after) };
}

/** Reads a store as answers without a language have it, with its `descriptions` in each. */
export function readRecord(place: RecordPlace): StoreRecord {
  const read = (field: StoreField, language: Language | null) =>
    parseField(fieldText(place, field, language), field);
  const fields = COMPARED_FIELDS.map((field) => [field, read(field, null)]);
  const descriptions = LANGUAGES.map((language) => {
    return [language, (read('profile', language) as StoreRecord).description];
  });
  return { ...Object.fromEntries(fields), descriptions: Object.fromEntries(descriptions) };
}

function parseField(text: Uint8Array, field: StoreField): unknown {
  return (JSON.parse(`{${new TextDecoder().decode(text)}}`) as StoreRecord)[field];
}

/** Takes one field at a time. */
const segments = new SegmentList();

/** The text of a field of a record as answers in a language have it. */
function fieldText(
  { chunk, index }: RecordPlace,
  field: StoreField,
  language: Language | null,
): Uint8Array {
  const view = new StoreView(segments, language, null);
  view.moveTo(chunk, index, 0, null);
  view.addField(field);
  return segments.toBytes();
}

/** Lists of different lengths differ as a whole: it is unknown which elements belong together. */
function* differences(
  was: unknown,
  is: unknown,
  path: string,
): Generator<readonly [path: string, before: unknown, after: unknown]> {
  if (was === is) return;
  const areAlike = isHolder(was) && isHolder(is) && Array.isArray(was) === Array.isArray(is);
  const areLists = Array.isArray(was) && Array.isArray(is);
  if (!areAlike || (areLists && was.length !== is.length)) {
    yield [path, was, is];
    return;
  }
  for (const key of new Set([...Object.keys(was), ...Object.keys(is)])) {
    yield* differences((was as StoreRecord)[key], (is as StoreRecord)[key], `${path}.${key}`);
  }
}

function isHolder(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** JSON, shortened; null when there is no value. */
function showValue(value: unknown): string | null {
  return value === undefined ? null : shorten(JSON.stringify(value));
}

/** The field of most of `count` stores. */
function mostOf(fields: ReadonlyMap<string, number>, count: number) {
  const [most] = [...fields].sort(([, a], [, b]) => b - a);
  if (!most || count < FEWEST_FOR_PATTERN || most[1] <= count / 2) return null;
  const [path, stores] = most;
  return {
    /** Dotted, `*` for any element of a list. */
    path,
    /** In how many stores nothing else differs. */
    stores,
  };
}

/** Where a record of some lies. */
export function recordAt({ chunks, indexes }: StoredRecords, place: number): RecordPlace {
  return { chunk: chunks[place] as Chunk, index: indexes[place] as number };
}

/**
 * Runs `work` and tells damage of the live release from damage of another.
 * @throws CommandError live_unreadable
 */
export async function explainLive<T>(
  live: { readonly manifest: Manifest } | null,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof CommandError) || error.code !== 'release_damaged') throw error;
    const { details } = error;
    const isOfLive = 'release' in details && details.release === live?.manifest.release;
    if (!isOfLive) throw error;
    const message = `the live release cannot be compared with: ${error.message}; publish --force --afresh replaces it`;
    throw new CommandError(message, 'live_unreadable', { cause: error });
  }
}
