/** The parameters of a list as a plain app reads them: no checks beyond what it needs. */
import type { Language } from '../../../src/model/enumerations.ts';

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
