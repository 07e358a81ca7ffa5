/** SQLite in D1 has no collations of ICU, so the order of names is a column for each language. */
import { LANGUAGES, type Language } from '../../../src/model/enumerations.ts';

/** Languages that names are ordered in; null: the root collation. */
export const NAME_ORDERS: readonly (Language | null)[] = [null, ...LANGUAGES];

/** The column that orders names in `language`. */
export const nameColumn = (language: Language | null): string => `name_${language ?? 'root'}`;

/** Compares names as the service does. */
export function nameCollator(language: Language | null): Intl.Collator {
  // 'en' orders as the root collation does.
  return new Intl.Collator(language ?? 'en', { sensitivity: 'accent', numeric: true });
}
