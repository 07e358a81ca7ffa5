/** Which stores differ between two releases, as the index parts tell, and what differs in those that changed. */
import type { StoredRecords } from '../../src/load/loaded-release.ts';
import { LANGUAGES, type Language } from '../../src/model/enumerations.ts';
import type { StoreField } from '../../src/model/store.ts';
import { compareReleases } from '../../src/query/store-changes.ts';
import { AnswerBuffer } from '../../src/render/answer-buffer.ts';
import { StoreView } from '../../src/render/store-view.ts';
import type { Chunk } from '../../src/snapshot/chunks.ts';
import type { StoreName } from '../../src/snapshot/compared-stores.ts';
import type { ReleaseReader } from '../build/release-reader.ts';
import type { CommandContext } from '../cli/run-command.ts';
import { sourceStoreSchema } from '../compile/source-store.ts';
import { fieldOf, shorten } from '../source/fault.ts';
import type { JsonObject } from '../source/values-in.ts';

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
    added: [] as StorePair[],
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

/**
 * The fields that are compared, in contract order. Deprecated ones follow these; the slug of the queried rental point
 * shows in `geo`, and what requests add is no part of a record.
 */
const COMPARED_FIELDS = Object.keys(sourceStoreSchema.shape) as readonly StoreField[];

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
  /** In contract order: first in answers without a language, then in each. */
  readonly differences: readonly ValueDifference[];
  /** Its answers in the earlier release; null where it was added. */
  readonly then: Answers | null;
  readonly now: Answers;
}

/**
 * Reads the records of stores, finds where the records of changed stores differ, and notes that in `diff`.
 * @param pairs some that `diff` has: changed ones, then added ones
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
    const was = await live?.records(ordinals);
    const is = await next.records(group.map(({ after }) => after));
    for (const [index, { id, slug }] of group.entries()) {
      const then = was && index < ordinals.length ? answersOf(was, index) : null;
      const now = answersOf(is, index);
      const differences = then ? findDifferences(then, now) : [];
      if (then) diff.lookedAt.push([...new Set(differences.map(({ path }) => fieldOf(path)))]);
      yield { store: { id, slug }, differences, then, now };
    }
    progress.update(start + group.length);
  }
}

/** Returns every value in which the answers of a store differ, each once, however many languages show it. */
function findDifferences(was: Answers, is: Answers): ValueDifference[] {
  const found = new Map<string, ValueDifference>();
  const compared = new Map<JsonObject, JsonObject>();
  for (const [language, before] of was) {
    const after = is.get(language) as JsonObject;
    // Most languages show what one before them does.
    if (compared.get(before) === after) continue;
    compared.set(before, after);
    for (const difference of differencesIn(before, after)) {
      const key = JSON.stringify(difference);
      found.set(key, { ...difference, language, ...found.get(key) });
    }
  }
  return [...found.values()];
}

/** Lists of different lengths differ as a whole: it is unknown which elements belong together. */
function* differencesIn(
  before: unknown,
  after: unknown,
  path = '',
): Generator<Omit<ValueDifference, 'language'>> {
  const isAlike = before instanceof Object && after instanceof Object;
  if (isAlike && Object.keys(before).length === Object.keys(after).length) {
    for (const [key, value] of Object.entries(before)) {
      const within = path === '' ? key : `${path}.${key}`;
      yield* differencesIn(value, (after as JsonObject)[key], within);
    }
  } else if (before !== after) yield { path, before, after };
}

/** Takes one record at a time. */
const buffer = new AnswerBuffer();

/** A store as answers have it, without a language and in each: the same object where they are the same. */
export type Answers = ReadonlyMap<Language | null, JsonObject>;

function answersOf({ chunks, indexes }: StoredRecords, index: number): Answers {
  const variants: JsonObject[] = [];
  const answers = [null, ...LANGUAGES].map((language) => {
    const view = new StoreView(buffer, language, null);
    view.moveTo(chunks[index] as Chunk, indexes[index] as number, 0, {});
    const variant = view.record.variantFor(language);
    variants[variant] ??= parseAnswer(view);
    return [language, variants[variant]] as const;
  });
  return new Map(answers);
}

function parseAnswer(view: StoreView): JsonObject {
  buffer.clear();
  for (const field of COMPARED_FIELDS) {
    buffer.addAscii(field === COMPARED_FIELDS[0] ? '{' : ',');
    view.addField(field);
  }
  return JSON.parse(`${new TextDecoder().decode(buffer.toBytes())}}`);
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
