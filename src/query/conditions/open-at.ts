/** `openAt`: the stores that are open at each of some instants. */
import { HOURS_PART } from '../../snapshot/hours-table.ts';
import { OPEN_NAMES } from '../at.ts';
import { INSTANT, showInstant } from '../instant.ts';
import { arrayOf } from '../values.ts';
import type { Declaration } from './condition.ts';

/** Tells the instants in UTC, in a 304 too. */
const HEADER = 'x-open-at';

const MAX_INSTANTS = 4;

const shape = {
  openAt: arrayOf(INSTANT, MAX_INSTANTS)
    .optional()
    .meta({
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
      headers: { [HEADER]: shown.join(', ') },
      // Not `now`: all pages are of the same instants.
      linked: { openAt: shown.join() },
      parts: [HOURS_PART],
      open: (release) => ({ test: release.table(HOURS_PART).openTest(instants) }),
    };
  },
};
