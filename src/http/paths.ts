/** All paths of the service, for the Worker and for what is built with it. */
import type { ProblemCode } from '../model/problem.ts';

/** Redirects to the documentation. */
export const ROOT_PATH = '/';
export const LIST_PATH = '/v2/external/stores';
export const CHANGES_PATH = '/v2/external/changes';
export const STORE_PATH = '/v2/external/stores/:id';
export const OPENAPI_PATH = '/openapi.json';
/** Lists the pages of the documentation for programs. */
export const LLMS_PATH = '/llms.txt';
export const DOCS_PATH = '/docs';
export const EXPLORE_PATH = '/explore';
export const HEALTH_PATH = '/healthz';

/** Every page of the documentation, and what these pages load. */
export const DOCS_PATHS = `${DOCS_PATH}/*`;

/** The fields of a store. */
export const FIELDS_PATH = '/docs/fields';

/** No page: redirects to the list of operations. */
export const OPERATIONS_PATH = '/docs/operations';

/** Returns the path of an operation's page. @param operationId of the OpenAPI document */
export const operationPath = (operationId: string): string => `${OPERATIONS_PATH}/${operationId}`;

/** The list of problems. */
export const PROBLEMS_PATH = '/docs/problems';

/** Returns the path of the page about a kind of problem: the `type` of its answers. */
export const problemPath = (code: ProblemCode): string => `${PROBLEMS_PATH}/${code}`;

/** The guides for partners by the last part of their paths, in the order to read them. */
export const GUIDES = [
  'quick-start',
  'finding-stores',
  'paging',
  'keeping-a-copy',
  'opening-hours',
  'delivery-and-opening',
  'attribution',
  'errors-and-limits',
  'deprecated-fields',
  'versions',
  'changelog',
] as const;

/** No page: redirects to the list of guides. */
export const GUIDES_PATH = '/docs/guides';

/** Returns the path of a guide for partners. */
export const guidePath = (name: (typeof GUIDES)[number]): string => `${GUIDES_PATH}/${name}`;

/** Path of the scripts, styles and data of pages, in files whose names hold their hash. */
export const FILE_PREFIX = '/files/';

export const FILE_PATH = `${FILE_PREFIX}:file`;

/** The same for the pages of the documentation. */
export const DOCS_FILE_PREFIX = `${DOCS_PATH}${FILE_PREFIX}`;

export const DOCS_FILE_PATH = `${DOCS_FILE_PREFIX}:file`;

/** What the path of each page of the documentation ends in as Markdown. */
export const MARKDOWN_ENDING = '.md';

/** Path of the index of their search, and of the program that reads it. */
export const SEARCH_PREFIX = `${DOCS_PATH}/pagefind/`;

/** The picture that browsers show beside the title of every page. */
export const FAVICON_PATH = '/favicon.svg';
