/** Advises callers of an unknown path. */
import {
  CHANGES_PATH,
  DOCS_PATH,
  EXPLORE_PATH,
  HEALTH_PATH,
  LIST_PATH,
  OPENAPI_PATH,
} from './paths.ts';
import { suggestion } from './query/hints/closest-word.ts';

const PATHS: readonly string[] = [
  LIST_PATH,
  CHANGES_PATH,
  OPENAPI_PATH,
  DOCS_PATH,
  EXPLORE_PATH,
  HEALTH_PATH,
];

/**
 * Says that there is no such path, with a hint at the one with the same end (slashes at the end and
 * repeated ones aside), else at the closest one.
 */
export function adviseRoute(path: string): string {
  const plain = path.replaceAll(/\/+/g, '/').replace(/\/$/, '').toLowerCase();
  const slash = plain.lastIndexOf('/');
  const end = plain.slice(slash);
  // Does not repeat what was sent: it may be anything.
  const isStore = plain.slice(0, slash) === LIST_PATH;
  const meant = isStore ? `${LIST_PATH}/{id}` : PATHS.find((known) => end && known.endsWith(end));
  const hint = suggestion(meant?.toLowerCase() ?? plain, meant ? [meant] : PATHS);
  return `There is no such path.${hint}`;
}
