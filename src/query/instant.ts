/** Reads an instant of a query: a date and time with its offset, or `now`. */
import { MINUTE } from '../hours/clock.ts';
import { quote } from '../shown-text.ts';
import { HOURS_FROM, HOURS_UNTIL } from '../snapshot/hours-table.ts';
import { TEXT, unread } from './values.ts';

const NOW = 'now';

/** A blank in the place of the sign is a `+` that was not encoded. */
const INSTANT_TEXT =
  /^(\d{4}-\d\d-\d\d)T([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(?:\.(\d{1,9}))?)?(Z|[-+ ](?:[01]\d|2[0-3]):[0-5]\d)?$/;

const EXAMPLE = '2026-07-01T18:30:00+02:00';
const EXPECTED = `Expected now, or an instant with its offset such as ${EXAMPLE}`;

/** Reads an instant as milliseconds since 1970. */
export const INSTANT = TEXT.transform((text, context): number => {
  if (text === NOW) return Math.floor(Date.now() / MINUTE) * MINUTE;
  const [, date = '', hours, minutes, seconds = '00', fraction = '', offset] =
    INSTANT_TEXT.exec(text) ?? [];
  const got = `got ${quote(text)}`;
  if (!isDate(date)) return unread(context, 'malformed_value', `${EXPECTED}, ${got}.`);
  if (offset === undefined) {
    const detail = `${EXPECTED}, ${got}, which does not say in which time zone it is.`;
    return unread(context, 'malformed_value', detail);
  }
  const milliseconds = fraction.slice(0, 3).padEnd(3, '0');
  const instant = Date.parse(
    `${date}T${hours}:${minutes}:${seconds}.${milliseconds}${offset.replace(' ', '+')}`,
  );
  if (HOURS_FROM <= instant && instant < HOURS_UNTIL) return instant;
  return unread(context, 'out_of_range', `${EXPECTED}, in the years 2000 to 2100, ${got}.`);
}).meta({ type: 'string' });

function isDate(date: string): boolean {
  const time = Date.parse(`${date}T00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(date);
}

/** Returns an instant as answers, headers and canonical texts have it. */
export function showInstant(instant: number): string {
  return new Date(instant).toISOString();
}
