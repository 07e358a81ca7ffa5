/** The parameters of a list as a plain app reads them, without checks, and the orders of names. */
import { LANGUAGES, type Language } from '../../../src/model/enumerations.ts';

export interface Position {
  readonly latitude: number;
  readonly longitude: number;
  /** Kilometres. */
  readonly radius: number;
}

export interface PlainQuery {
  readonly skip: number;
  readonly limit: number;
  readonly sort: readonly { readonly field: string; readonly descending: boolean }[];
  readonly fields: readonly string[] | null;
  readonly verticales: readonly string[] | null;
  readonly position: Position | null;
  readonly language: Language | null;
}

export function readQuery(parameters: Readonly<Record<string, string>>): PlainQuery {
  const radius = parameters['position.radius'];
  return {
    skip: Number(parameters.skip ?? 0),
    limit: Number(parameters.limit ?? 100),
    sort: (parameters.sort?.split(',') ?? []).map((entry) => {
      const [field = '', direction] = entry.split('__');
      return { field, descending: direction === 'desc' };
    }),
    fields: parameters.fields?.split(',') ?? null,
    verticales: parameters['verticale.in']?.split(',') ?? null,
    position:
      radius === undefined
        ? null
        : {
            latitude: Number(parameters['position.latitude']),
            longitude: Number(parameters['position.longitude']),
            radius: Number(radius),
          },
    language: (parameters.lang as Language | undefined) ?? null,
  };
}

/** Languages that names are ordered in; null: the root collation. */
export const NAME_ORDERS: readonly (Language | null)[] = [null, ...LANGUAGES];

/** Returns the column of names in a language: SQLite in D1 has no collations of ICU, so each has its own. */
export const nameColumn = (language: Language | null): string => `name_${language ?? 'root'}`;

/** Returns a collator that compares names as the service does. */
export function nameCollator(language: Language | null): Intl.Collator {
  // 'en' orders as the root collation does.
  return new Intl.Collator(language ?? 'en', { sensitivity: 'accent', numeric: true });
}
