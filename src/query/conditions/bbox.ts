/** `bbox`: the stores that show a location in an area between two meridians and two parallels. */
import * as z from 'zod';
import { PLACES_PART } from '../../snapshot/place-table.ts';
import { type Area, findInside } from '../find-places.ts';
import {
  addFault,
  type Declaration,
  isAnySent,
  numberBetween,
  parameter,
  TEXT,
  unread,
} from '../parameters.ts';
import { POSITION } from './position.ts';

const EXAMPLE = '11.2,46.3,11.5,46.6';
const EXPECTED = `Expected west,south,east,north in degrees, such as ${EXAMPLE}`;

const LONGITUDE = numberBetween(-180, 180);
const LATITUDE = numberBetween(-90, 90);
const EDGES = z.tuple([LONGITUDE, LATITUDE, LONGITUDE, LATITUDE]);

const AREA = TEXT.transform((text, context): Area => {
  const { data, error } = EDGES.safeParse(text.split(','));
  if (error?.issues.some(({ code, path }) => path.length === 0 || code === 'invalid_format')) {
    return unread(context, 'malformed_value', EXPECTED, text);
  }
  if (error) {
    const range = `${EXPECTED}, longitudes from -180 to 180 and latitudes from -90 to 90`;
    return unread(context, 'out_of_range', range, text, swapHint(text));
  }
  const [west, south, east, north] = data;
  if (south <= north) return { west, south, east, north };
  return unread(context, 'out_of_range', `${EXPECTED}, south not above north`, text);
});

/** Returns the end of the sentence, with a hint if the text is right with its numbers swapped. */
function swapHint(text: string): string {
  const [first, second, third, fourth] = text.split(',') as [string, string, string, string];
  const swapped = [second, first, fourth, third];
  const isSwapped = Math.max(Math.abs(Number(second)), Math.abs(Number(fourth))) > 90;
  return isSwapped && EDGES.safeParse(swapped).success && Number(first) <= Number(third)
    ? `. Longitude comes first: did you mean "${swapped.join()}"?`
    : '.';
}

const shape = {
  bbox: parameter(AREA, {
    description:
      'Keeps the stores that show a location in this area: `west,south,east,north` in degrees, edges included. Longitudes are within ±180; when west is greater than east, the area crosses the antimeridian. `geo.location` is the main location if it lies in the area, else the first rental point that does. Stores have no `distance`; their order is that of `sort`, `q` or ids. Not together with a position or a delivery point.',
    example: EXAMPLE,
    usualNames: ['bounds', 'area', 'box', 'viewport'],
  }),
};

export const BBOX: Declaration<typeof shape> = {
  shape,
  check(sent, context) {
    if (isAnySent(POSITION.shape, sent)) {
      addFault(context, 'not_together', 'Not together with a position.', 'bbox');
    }
  },
  toCondition({ bbox: area }) {
    return {
      kind: 'stores',
      keeps: 'some',
      text: `bbox=${area.west},${area.south},${area.east},${area.north}`,
      parts: [PLACES_PART],
      isShown: true,
      open: (release, scratch) => findInside(release.table(PLACES_PART), area, scratch),
    };
  },
};
