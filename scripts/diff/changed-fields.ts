/** Which fields of a store differ between two of its records. */
import { LANGUAGES, type Language } from '../../src/model/enumerations.ts';
import { STORE_FIELDS, type StoreField, storeSchema } from '../../src/model/store.ts';
import { SegmentList } from '../../src/render/segment-list.ts';
import { StoreView } from '../../src/render/store-view.ts';
import type { Chunk } from '../../src/snapshot/chunk.ts';

/** Fields whose values may depend on the language. */
const LOCALIZED_FIELDS = ['profile', 'localization', 'geo', 'pricing', 'booking'] as const;

/**
 * The fields that are compared. Deprecated ones follow their replacements; the slug of the queried
 * rental point shows in `geo` and the distance is no part of a record.
 */
export const COMPARED_FIELDS = STORE_FIELDS.filter(
  (field) =>
    field !== 'rentalPointSlug' &&
    field !== 'distance' &&
    storeSchema.shape[field].meta()?.deprecated !== true,
);

/** The store as each language shows it; null: requests without one. */
const VIEWS: ReadonlyMap<Language | null, StoreView> = new Map(
  [...LANGUAGES, null].map((language) => [language, new StoreView(language, null)]),
);

const text = new SegmentList();

/** A record: the chunk it is in, and its number there. */
export interface RecordPlace {
  readonly chunk: Chunk;
  readonly index: number;
}

/** Fields, in contract order, that differ in any language or for any location. */
export function changedFields(before: RecordPlace, after: RecordPlace): StoreField[] {
  return COMPARED_FIELDS.filter((field) =>
    languagesOf(field).some(
      (language) =>
        Buffer.compare(fieldText(before, field, language), fieldText(after, field, language)) !== 0,
    ),
  );
}

function languagesOf(field: StoreField): readonly (Language | null)[] {
  return LOCALIZED_FIELDS.some((name) => name === field) ? [...VIEWS.keys()] : [null];
}

/** The text of a field of a record as answers in a language have it. */
export function fieldText(
  { chunk, index }: RecordPlace,
  field: StoreField,
  language: Language | null,
): Uint8Array {
  const view = VIEWS.get(language) as StoreView;
  view.moveTo(chunk, index, 0, null);
  view.addField(text, field, 1);
  return text.toBytes();
}
