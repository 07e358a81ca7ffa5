/** `openAt`: the stores that are open at an instant. */
import { MINUTE } from '../../hours/zone-clock.ts';
import { quote } from '../../shown-text.ts';
import { HOURS_FROM, HOURS_PART, HOURS_UNTIL } from '../../snapshot/hours-table.ts';
import { TEXT, unread } from '../values.ts';
import type { Declaration } from './condition.ts';

/** Tells the instant in UTC, in a 304 too. */
const HEADER = 'x-open-at';

const NOW = 'now';

/** A blank in the place of the sign is a `+` that was not encoded. */
const INSTANT_TEXT =
  /^(\d{4}-\d\d-\d\d)T([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(?:\.(\d{1,9}))?)?(Z|[-+ ](?:[01]\d|2[0-3]):[0-5]\d)?$/;

const EXAMPLE = '2026-07-01T18:30:00+02:00';
const EXPECTED = `Expected now, or an instant with its offset such as ${EXAMPLE}`;

/** Milliseconds since 1970. */
const INSTANT = TEXT.transform((text, context): number => {
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
});

function isDate(date: string): boolean {
  const time = Date.parse(`${date}T00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(date);
}

const shape = {
  openAt: INSTANT.optional().meta({
    description:
      'Keeps the stores that are open at this instant: a date and time with `Z` or an offset from UTC, in the years 2000 to 2100, or `now`, the start of the current minute. Write the `+` of an offset as `%2B`. `x-open-at` tells the instant in UTC, and the link to the next page has it instead of `now`. The guide "Opening hours" has the rules.',
    example: '2026-07-01T18:30:00Z',
    usualNames: ['open', 'opennow', 'open_now', 'open_at', 'isopen'],
    usage: 'It takes an instant, or now.',
  }),
};

export const OPEN_AT: Declaration<typeof shape> = {
  shape,
  toCondition({ openAt: instant }) {
    const shown = new Date(instant).toISOString();
    return {
      kind: 'stores',
      keeps: 'many',
      text: `openAt=${shown}`,
      headers: { [HEADER]: shown },
      // Not `now`: all pages are of one instant.
      linked: { openAt: shown },
      parts: [HOURS_PART],
      open: (release) => ({ test: release.table(HOURS_PART).openTest(instant) }),
    };
  },
};
