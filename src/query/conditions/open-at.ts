/** `openAt`: the stores that are open at an instant. */
import * as z from 'zod';
import { MINUTE } from '../../hours/zone-clock.ts';
import type { FaultCode } from '../../parameters/faults.ts';
import { type Kind, one, type Refuse } from '../../parameters/parameter.ts';
import { quote } from '../../shown-text.ts';
import { HOURS_FROM, HOURS_PART, HOURS_UNTIL } from '../../snapshot/hours-table.ts';
import type { Declaration } from './condition.ts';

const HEADER = 'x-open-at';

const NOW = 'now';

/** A blank in the place of the sign is a `+` that was not encoded. */
const INSTANT_TEXT =
  /^(\d{4}-\d\d-\d\d)T([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(?:\.(\d{1,9}))?)?(Z|[-+ ](?:[01]\d|2[0-3]):[0-5]\d)?$/;

const EXAMPLE = '2026-07-01T18:30:00+02:00';
const EXPECTED = `Expected now, or an instant with its offset such as ${EXAMPLE}`;

const FAULTS = {
  not_an_instant: 'The value is neither now nor a date and time such as 2026-07-01T18:30:00Z.',
  offset_missing: 'The instant has no offset from UTC.',
} as const;

/** Milliseconds since 1970. */
const INSTANT: Kind<number> = {
  schema: z.string(),
  isFleeting: (text) => text === NOW,
  read(text, refuse: Refuse<FaultCode | keyof typeof FAULTS>) {
    if (text === NOW) return Math.floor(Date.now() / MINUTE) * MINUTE;
    const explain = (range = '') => `${EXPECTED}${range}, got ${quote(text)}`;
    const [, date = '', hours, minutes, seconds = '00', fraction = '', offset] =
      INSTANT_TEXT.exec(text) ?? [];
    if (!isDate(date)) return refuse('not_an_instant', () => `${explain()}.`);
    if (offset === undefined) {
      const missing = ', which does not say in which time zone it is.';
      return refuse('offset_missing', () => explain() + missing);
    }
    const milliseconds = fraction.slice(0, 3).padEnd(3, '0');
    const instant = Date.parse(
      `${date}T${hours}:${minutes}:${seconds}.${milliseconds}${offset.replace(' ', '+')}`,
    );
    if (HOURS_FROM <= instant && instant < HOURS_UNTIL) return instant;
    return refuse('out_of_range', () => `${explain(', in the years 2000 to 2100')}.`);
  },
};

function isDate(date: string): boolean {
  const time = Date.parse(`${date}T00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(date);
}

const OPEN_AT_PARAMETER = one(
  {
    name: 'openAt',
    description:
      'Keeps the stores that are open at this instant: a date and time with `Z` or an offset from UTC, in the years 2000 to 2100, or `now`, the start of the current minute. Write the `+` of an offset as `%2B`. `x-open-at` tells the instant in UTC, and the link to the next page has it instead of `now`. The guide "Opening hours" has the rules.',
    example: '2026-07-01T18:30:00Z',
    usualNames: ['open', 'opennow', 'open_now', 'open_at', 'isopen'],
    usage: 'It takes an instant, or now.',
  },
  INSTANT,
);

export const OPEN_AT: Declaration<readonly [typeof OPEN_AT_PARAMETER]> = {
  parameters: [OPEN_AT_PARAMETER],
  faults: FAULTS,
  headers: {
    [HEADER]: {
      description: 'With `openAt`: the instant in UTC.',
      schema: { type: 'string', format: 'date-time' },
      example: '2026-07-01T18:30:00.000Z',
      isIn304: true,
    },
  },
  decide({ openAt: instant }) {
    if (instant === undefined) return null;
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
