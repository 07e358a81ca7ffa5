/**
 * `openAt`: the stores that are open at each of some instants, by `hours/opening-rule.ts`; and `at`: whether each store
 * is open at an instant, and until when, which lists and single stores show. `at` neither filters nor orders.
 */
import { MINUTE } from '../../hours/clock.ts';
import type { LoadedRelease } from '../../load/loaded-release.ts';
import type { StoreOpening } from '../../model/store.ts';
import { HOURS_FROM, HOURS_PART, HOURS_UNTIL } from '../../snapshot/hours-table.ts';
import { arrayOf, type Declaration, parameter, TEXT, unread } from '../parameters.ts';

/** A blank instead of the sign is a `+` that was not encoded. */
const INSTANT_TEXT =
  /^(\d{4}-\d\d-\d\d)T([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(?:\.(\d{1,9}))?)?(Z|[-+ ](?:[01]\d|2[0-3]):[0-5]\d)?$/;

const EXAMPLE = '2026-07-01T18:30:00+02:00';
const EXPECTED = `Expected now, or an instant with its offset such as ${EXAMPLE}`;

/** Reads an instant as milliseconds since 1970. */
const INSTANT = TEXT.transform((text, context): number => {
  if (text === 'now') return Math.floor(Date.now() / MINUTE) * MINUTE;
  const [, date = '', hours, minutes, seconds = '00', fraction = '', offset] =
    INSTANT_TEXT.exec(text) ?? [];
  if (!isDate(date)) return unread(context, 'malformed_value', EXPECTED, text);
  if (offset === undefined) {
    const end = ', which does not say in which time zone it is.';
    return unread(context, 'malformed_value', EXPECTED, text, end);
  }
  const milliseconds = fraction.slice(0, 3).padEnd(3, '0');
  const instant = Date.parse(
    `${date}T${hours}:${minutes}:${seconds}.${milliseconds}${offset.replace(' ', '+')}`,
  );
  if (HOURS_FROM <= instant && instant < HOURS_UNTIL) return instant;
  return unread(context, 'out_of_range', `${EXPECTED}, in the years 2000 to 2100`, text);
}).meta({ type: 'string' });

function isDate(date: string): boolean {
  const time = Date.parse(`${date}T00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(date);
}

/** Returns an instant as answers, headers and canonical texts have it. */
export function showInstant(instant: number): string {
  return new Date(instant).toISOString();
}

/** Names that other services use for what `openAt` and `at` do. */
const OPEN_NAMES = ['open', 'opennow', 'open_now', 'isopen', 'is_open'];

const MAX_INSTANTS = 4;

const shape = {
  openAt: parameter(arrayOf(INSTANT, MAX_INSTANTS), {
    description: `Keeps the stores that are open at this instant: a date and time with \`Z\` or an offset from UTC, in the years 2000 to 2100, or \`now\`, the start of the current minute. Of several instants, at most ${MAX_INSTANTS}, a store is open at each: when a rental is collected, and when it is returned. Write the \`+\` of an offset as \`%2B\`. \`x-open-at\` tells the instants in UTC, and the link to the next page has them instead of what was sent. \`at\` tells of each store whether it is open. The guide "Opening hours" has the rules.`,
    example: '2026-07-01T09:00:00Z,2026-07-01T16:30:00Z',
    usualNames: [...OPEN_NAMES, 'open_at'],
    usage: 'openAt keeps the stores that are open at an instant, or now.',
  }),
};

export const OPEN_AT: Declaration<typeof shape> = {
  shape,
  toCondition({ openAt }) {
    const instants = [...new Set(openAt)].sort((one, other) => one - other);
    const shown = instants.map(showInstant);
    return {
      kind: 'stores',
      keeps: 'many',
      text: `openAt=${shown}`,
      // Has the instants in UTC; a 304 has it too.
      headers: { 'x-open-at': shown.join(', ') },
      // Not `now`: all pages are of the same instants.
      linked: { openAt: shown.join() },
      parts: [HOURS_PART],
      open: (release) => ({ test: release.table(HOURS_PART).openTest(instants) }),
    };
  },
};

export const AT = parameter(INSTANT, {
  description:
    'Tells of each store in `opening` whether it is open at this instant, and when that changes next. An instant is written as for `openAt`, or is `now`, the start of the current minute. It changes neither which stores match nor their order. The link to the next page has it in UTC instead of what was sent. The guide "Opening hours" has the rules.',
  example: '2026-07-01T18:30:00Z',
  usualNames: [...OPEN_NAMES, 'opening', 'openings', 'hours', 'openinghours', 'opening_hours'],
  usage: 'at tells of each store whether it is open at an instant, or now, and until when.',
});

/** Builds a function that returns `opening` of the store with an ordinal. Load HOURS_PART before. */
export function openingsAt(
  release: LoadedRelease,
  instant: number,
): (store: number) => StoreOpening {
  const at = showInstant(instant);
  const openings = release.table(HOURS_PART).openingsAt(instant);
  return (store) => {
    const { isOpen, nextChange } = openings(store);
    return { at, isOpen, nextChange: nextChange === null ? null : showInstant(nextChange) };
  };
}
