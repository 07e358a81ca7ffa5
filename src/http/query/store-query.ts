/** The query of `GET /v2/external/stores/{id}`. */
import * as z from 'zod';
import { selectFields } from '../../model/field-paths.ts';
import { AT } from '../../query/conditions/open-at.ts';
import type { GetQuery, ParsedQuery } from '../../query/queries.ts';
import { LIST_SHAPE } from './list-query.ts';
import { querySchema } from './query-schema.ts';
import { canonicalContent, FIELDS, LANG, RENTAL_POINT_SLUG } from './shared-parameters.ts';

export const STORE_QUERY = querySchema(
  z.strictObject({ fields: FIELDS, at: AT, lang: LANG, rentalPointSlug: RENTAL_POINT_SLUG }),
  ({
    fields: paths,
    at = null,
    lang: language = null,
    rentalPointSlug = null,
  }): ParsedQuery<GetQuery> => {
    const query = { fields: paths ? selectFields(paths) : null, language, rentalPointSlug, at };
    const point = rentalPointSlug === null ? '' : encodeURIComponent(rentalPointSlug);
    return { query, canonical: `rentalPointSlug=${point}&${canonicalContent(query)}` };
  },
  { shape: LIST_SHAPE, detail: 'Only lists take it, not a single store.' },
);
