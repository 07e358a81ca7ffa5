/** What is found, asked and refused, in words. Nothing here needs a browser. */
import { ProblemError } from '../../../../client/src/errors.ts';
import type { Wait } from '../../../../client/src/retries.ts';
import type { Found } from '../service/search.ts';
import type { ExploreState } from './state.ts';
import { count, stores } from './words.ts';

/** How many stores there are. @param listed how many of them the map shows */
export function describeFound(found: Found, listed: number, state: ExploreState): string {
  const { total, stores: loaded, isComplete } = found;
  if (!isComplete) return `Loading ${count(loaded.length)} of ${stores(total)} …`;
  if (loaded.length < total) return `${count(loaded.length)} of ${stores(total)}: zoom in`;
  const where = describeQuestion(state);
  if (where === '') return stores(listed);
  if (listed === total) return `${stores(listed)} ${where}`;
  return `${count(listed)} of ${stores(total)} ${where} in view`;
}

/** Where stores are looked for, after their number; empty: in the area of the map. */
export function describeQuestion({ place, words }: ExploreState): string {
  if (words !== '') return `that match “${words}”`;
  if (!place) return '';
  const { name, latitude, longitude, radius } = place;
  return `within ${radius} km of ${name ?? `${latitude}, ${longitude}`}`;
}

export function describeFault(error: unknown): string {
  if (error instanceof ProblemError) {
    const { title, detail, errors } = error;
    return `${title}: ${[detail, ...errors.map((fault) => fault.detail)].join(' ')}`;
  }
  return 'The service cannot be reached. Check your connection, then try again.';
}

export function describeWait({ milliseconds, reason }: Wait): string {
  const why =
    reason instanceof ProblemError ? 'asks to wait' : 'cannot be reached, asking again in';
  return `The service ${why} ${Math.ceil(milliseconds / 1000)} s …`;
}
