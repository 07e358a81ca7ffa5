/** What callers of an unknown path are told. */

import { closestWord } from '../parameters/closest-word.ts';
import {
  CHANGES_PATH,
  DOCS_PATH,
  EXPLORE_PATH,
  HEALTH_PATH,
  LIST_PATH,
  OPENAPI_PATH,
} from './paths.ts';

const PATHS: readonly string[] = [
  LIST_PATH,
  CHANGES_PATH,
  OPENAPI_PATH,
  DOCS_PATH,
  EXPLORE_PATH,
  HEALTH_PATH,
];

/** Says that there is no such path and, if a known one is close, which one was meant. */
export function adviseRoute(path: string): string {
  const meant = pathMeant(path);
  return `There is no such path.${meant === null ? '' : ` Did you mean "${meant}"?`}`;
}

/** One with the same end, slashes at the end and repeated ones aside; else the closest. */
function pathMeant(path: string): string | null {
  const plain = path.replaceAll(/\/+/g, '/').replace(/\/$/, '').toLowerCase();
  if (plain === '') return null;
  const slash = plain.lastIndexOf('/');
  // What was sent is not repeated: it may be anything.
  if (plain.slice(0, slash) === LIST_PATH) return `${LIST_PATH}/{id}`;
  const end = plain.slice(slash);
  return PATHS.find((known) => known.endsWith(end)) ?? closestWord(plain, PATHS);
}
