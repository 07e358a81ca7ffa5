/** What a request asks for, in the words of the contract. */

import type { Utm } from '../../../src/auth/token-record.ts';
import type { Language } from '../../../src/model/enumerations.ts';
import type { AskedValues } from '../conditions/all.ts';

export interface ListParams extends AskedValues {
  readonly skip?: number;
  readonly limit?: number;
  /** Entries as a partner writes them: `name`, `name__asc`, `distance__desc`. */
  readonly sort?: readonly string[];
  readonly fields?: readonly string[];
  readonly lang?: Language;
  /** Attribution of the token that asks. */
  readonly utm?: Utm;
}

export interface GetParams {
  readonly fields?: readonly string[];
  readonly lang?: Language;
  readonly rentalPointSlug?: string;
  /** Milliseconds since 1970. */
  readonly at?: number;
  readonly utm?: Utm;
}
