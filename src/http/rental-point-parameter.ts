/** The parameter of one store alone, apart so that lists can tell who asks them for it. */
import { textParameter } from './parameter.ts';

export const RENTAL_POINT_SLUG = textParameter({
  name: 'rentalPointSlug',
  description:
    'Slug of the rental point the details shall refer to, instead of the main location. The main location itself is no rental point.',
  example: 'gare-du-nord',
});
