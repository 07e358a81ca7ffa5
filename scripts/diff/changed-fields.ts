/** Which fields of a store differ between two of its records. */
import { LANGUAGES, type Language } from '../../src/model/enumerations.ts';
import { STORE_FIELDS, type StoreField, storeSchema } from '../../src/model/store.ts';
import { VARIANT_FIELDS, type VariantField } from '../../src/snapshot/record-layout.ts';
import type { RecordReader } from '../../src/snapshot/record-reader.ts';
import type { Range } from '../../src/snapshot/record-writer.ts';

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

const REQUESTED: readonly (Language | null)[] = [...LANGUAGES, null];

/**
 * Fields, in contract order, that differ in any language or for any location. Both readers stand
 * on records of one store.
 */
export function changedFields(before: RecordReader, after: RecordReader): StoreField[] {
  return COMPARED_FIELDS.filter((field) =>
    isLocalized(field)
      ? REQUESTED.some((language) => differ(field, language, before, after))
      : differ(field, null, before, after),
  );
}

function isLocalized(field: StoreField): boolean {
  return field === 'geo' || isVariantField(field);
}

function isVariantField(field: StoreField): field is VariantField {
  return VARIANT_FIELDS.some((name) => name === field);
}

function differ(
  field: StoreField,
  language: Language | null,
  before: RecordReader,
  after: RecordReader,
): boolean {
  const bytesOf = (record: RecordReader) =>
    record.chunk.bytes.subarray(...rangeOf(record, field, language));
  return Buffer.compare(bytesOf(before), bytesOf(after)) !== 0;
}

/** Where the text of a field lies that answers a request in `language`. */
function rangeOf(record: RecordReader, field: StoreField, language: Language | null): Range {
  const variant = record.variantFor(language);
  if (isVariantField(field)) {
    return [record.variantFieldStart(variant, field), record.variantFieldEnd(variant, field)];
  }
  // A hidden address has one geo text for all variants, in the base text.
  const hasGeoTexts = record.locationCount > 0;
  if (field === 'geo' && hasGeoTexts) return [record.geoStart(variant), record.geoEnd(variant)];
  return [record.fieldStart(field), record.fieldEnd(field)];
}
