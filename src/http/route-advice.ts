/** What callers of an unknown path are told. */

import { closestWord } from '../parameters/closest-word.ts';
import {
  CHANGES_PATH,
  CONSOLE_PATH,
  DOCS_PATH,
  EXPLORE_PATH,
  HEALTH_PATH,
  LIST_PATH,
  OPENAPI_PATH,
} from './paths.ts';

const NOWHERE = 'There is no such path.';

const PATHS: readonly string[] = [
  LIST_PATH,
  CHANGES_PATH,
  OPENAPI_PATH,
  DOCS_PATH,
  CONSOLE_PATH,
  EXPLORE_PATH,
  HEALTH_PATH,
];

/** Longer paths are not looked at. */
const LONGEST_PATH = 100;

/** Says that there is no such path and, if a known one is close, which one was meant. */
export function adviseRoute(path: string): string {
  const meant = path.length > LONGEST_PATH ? null : pathMeant(path);
  return meant === null ? NOWHERE : `${NOWHERE} Did you mean "${meant}"?`;
}

/** The path with single slashes and none at its end, else one with the same end, else the closest. */
function pathMeant(path: string): string | null {
  const plain = path.replaceAll(/\/+/g, '/').replace(/\/$/, '').toLowerCase();
  if (plain === '') return null;
  const rest = plain.startsWith(`${LIST_PATH}/`) ? plain.slice(LIST_PATH.length + 1) : '';
  // What was sent is not repeated: it may be anything.
  if (rest !== '' && !rest.includes('/')) return `${LIST_PATH}/{id}`;
  const end = plain.slice(plain.lastIndexOf('/'));
  return (
    PATHS.find((known) => known === plain) ??
    PATHS.find((known) => known.endsWith(end)) ??
    closestWord(plain, PATHS)
  );
}
