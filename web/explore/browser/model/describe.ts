/** What is found, asked and refused, in words. Nothing here needs a browser. */
import { ConnectionError, ProblemError } from '../../../../client/src/errors.ts';
import type { Found } from './found.ts';
import { type ExploreState, hasFilters } from './state.ts';
import { count, counted, VERTICALE_NAMES } from './words.ts';

/** Says how many stores there are. @param listed how many of them the list has */
export function describeFound(found: Found, listed: number, state: ExploreState): string {
  const { total, stores: loaded, isComplete, isBeyond } = found;
  if (isBeyond) return describeBeyond(found, state);
  if (!isComplete) return `Loading ${count(loaded.length)} of ${counted(total, 'store')} …`;
  if (loaded.length < total) return `${count(loaded.length)} of ${counted(total, 'store')}: zoom in`;
  const where = describeQuestion(state);
  if (where === '') return counted(listed, 'store');
  if (listed === total) return `${counted(listed, 'store')} ${where}`;
  return `${count(listed)} of ${counted(total, 'store')} ${where} in view`;
}

function describeBeyond({ stores: [first], total }: Found, state: ExploreState): string {
  const are = total === 1 ? 'is' : 'are';
  const away = Math.max(1, Math.round(first?.distance ?? 0));
  return `${describeNone(state)}. The nearest ${are} ${count(away)} km away.`;
}

/** Says that nothing was found, by the name of what was searched. */
export function describeNone(state: ExploreState): string {
  const [kind, ...others] = state.verticales;
  const isKindAlone = kind && others.length === 0;
  const what = isKindAlone ? VERTICALE_NAMES[kind].toLowerCase() : 'stores';
  const hasOthers = hasFilters(isKindAlone ? { ...state, verticales: [] } : state);
  const passing = hasOthers ? ' that pass all filters' : '';
  return `No ${what}${passing} ${describeQuestion(state) || 'here'}`;
}

/** Says where stores are searched, after their number; empty: in the area of the map. */
function describeQuestion({ place, words }: ExploreState): string {
  if (words !== '') return `that match “${words}”`;
  if (!place) return '';
  const { name, latitude, longitude, radius } = place;
  return `within ${radius} km of ${name ?? `${latitude}, ${longitude}`}`;
}

/** Says why there is no answer, as a shopper wants to know it. */
export function describeFailure(error: unknown): string {
  if (error instanceof ProblemError) {
    const { status, detail, errors } = error;
    if (status === 429) return 'Too many searches at once.';
    if (status >= 500) return 'The stores cannot be looked up just now.';
    return `This search does not work. ${describeDetails(detail, errors)}`;
  }
  const isLate = error instanceof ConnectionError && error.message.startsWith('No answer within');
  return isLate
    ? 'The stores take long to answer.'
    : 'The stores cannot be reached. Check your connection.';
}

export function describeFault(error: unknown): string {
  if (!(error instanceof ProblemError)) return describeFailure(error);
  return `${error.title}: ${describeDetails(error.detail, error.errors)}`;
}

const describeDetails = (detail: string, errors: ProblemError['errors']): string =>
  [detail, ...errors.map((fault) => fault.detail)].join(' ');
