/** Addresses of pages that people try, with the pages that they are led to. */
import { guidePathSchema, problemPathSchema } from '../path-parameters.ts';
import { DOCS_PATH, GUIDES_PATH, guidePath, PROBLEMS_PATH, problemPath } from '../paths.ts';
import { SERVED_PAGES } from './served-pages.ts';

/** Lists that are parts of the reference. */
const LISTS: Readonly<Record<string, string>> = {
  [GUIDES_PATH]: `${DOCS_PATH}#guides`,
  [PROBLEMS_PATH]: `${DOCS_PATH}#errors`,
};

/** The page that a path which is none leads to: that of the path without slashes at its end. */
export function pageInstead(path: string): string | null {
  const plain = withoutSlashesAtEnd(path);
  if (Object.hasOwn(LISTS, plain)) return LISTS[plain] as string;
  return plain !== path && isPage(plain) ? plain : null;
}

/**
 * By a loop, as the regular expression takes time that grows with the square of a run of slashes, and
 * whoever asks needs no token.
 */
function withoutSlashesAtEnd(path: string): string {
  let end = path.length;
  while (path[end - 1] === '/') end--;
  return path.slice(0, end);
}

function isPage(path: string): boolean {
  if (Object.hasOwn(SERVED_PAGES, path)) return true;
  const name = path.slice(path.lastIndexOf('/') + 1);
  const { data: guide } = guidePathSchema.safeParse({ guide: name });
  const { data: problem } = problemPathSchema.safeParse({ code: name });
  return (
    (guide !== undefined && guidePath(guide.guide) === path) ||
    (problem !== undefined && problemPath(problem.code) === path)
  );
}
