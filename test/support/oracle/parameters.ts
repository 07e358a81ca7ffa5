/** What a request asks for, in the words of the contract. */
import type { Language, Verticale } from '../../../src/model/enumerations.ts';
import type { Facet } from '../../../src/model/term-fields.ts';
import type { Utm } from '../../../src/model/utm.ts';
import type { AskedTerms } from './terms.ts';

/** Degrees, degrees and kilometres. */
export interface Position {
  readonly latitude: number;
  readonly longitude: number;
  readonly radius: number;
}

export interface ListParams {
  readonly skip?: number;
  readonly limit?: number;
  /** An id; given with the default order alone, and without `skip`. */
  readonly after?: string;
  /** Entries as a partner writes them: `name`, `name__asc`, `distance__desc`. */
  readonly sort?: readonly string[];
  readonly fields?: readonly string[];
  /** Ids in any case. */
  readonly idIn?: readonly string[];
  readonly verticaleIn?: readonly Verticale[];
  readonly verticaleNotIn?: readonly Verticale[];
  readonly verticaleEquals?: Verticale;
  readonly verticaleNotEquals?: Verticale;
  readonly terms?: AskedTerms;
  /** West, south, east, north. Not beside a position. */
  readonly bbox?: readonly [number, number, number, number];
  readonly position?: Position;
  readonly q?: string;
  /** Milliseconds since 1970. */
  readonly openAt?: number;
  readonly facets?: readonly Facet[];
  readonly lang?: Language;
  /** Attribution of the token that asks. */
  readonly utm?: Utm;
}

export interface GetParams {
  readonly fields?: readonly string[];
  readonly lang?: Language;
  readonly rentalPointSlug?: string;
  readonly utm?: Utm;
}
