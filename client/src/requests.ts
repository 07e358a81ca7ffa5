/** Lists and changes, as the client asks for them: page by page, as the links lead. */
import type { Changes, Page } from './answers.ts';
import type { Answer, AskOptions, Connection } from './connection.ts';
import { ConnectionError } from './errors.ts';
import { searchOf } from './search.ts';

export const LIST_PATH = '/v2/external/stores';
const CHANGES_PATH = '/v2/external/changes';

/** The most that the service puts into a page of changes. */
const CHANGES_LIMIT = 1000;

type Signal = AbortSignal | undefined;

/** Reads one page of stores. */
export async function pageOf<S>(
  connection: Connection,
  search: string,
  options: AskOptions,
): Promise<Page<S>> {
  return readPage(await connection.ask(LIST_PATH, search, options));
}

/** Yields all pages of stores. */
export async function* pagesOf<S>(
  connection: Connection,
  search: string,
  signal: Signal,
): AsyncGenerator<Page<S>, void, undefined> {
  for await (const answer of walk(connection, LIST_PATH, search, signal)) yield readPage(answer);
}

/** Reads what differs between two releases, from all pages. */
export async function readChanges(
  connection: Connection,
  signal: Signal,
  since: string,
  until?: string,
): Promise<Changes> {
  const search = searchOf({ since, until, limit: CHANGES_LIMIT });
  let changes: Changes | null = null;
  for await (const { body } of walk(connection, CHANGES_PATH, search, signal)) {
    const { release, docs } = body as Changes;
    changes ??= { since, release, docs: [] };
    if (release !== changes.release) {
      throw new ConnectionError(`Changes until ${changes.release} went on until ${release}.`);
    }
    changes.docs.push(...docs);
  }
  return changes as unknown as Changes;
}

/** Yields every page from the first on. Such answers are not kept. */
async function* walk(
  connection: Connection,
  path: string,
  first: string,
  signal: Signal,
): AsyncGenerator<Answer, void, undefined> {
  for (let search: string | null = first; search !== null; ) {
    const answer: Answer = await connection.ask(path, search, { signal, keep: false });
    yield answer;
    if (answer.next === search) throw new ConnectionError('A page names itself as the next one.');
    search = answer.next;
  }
}

/** Reads a page. Which fields its stores have is up to the service: the types say what it promises. */
function readPage<S>({ body, release, headers }: Answer): Page<S> {
  if (release === null) {
    throw new ConnectionError('The answer does not tell its release (x-snapshot-release).');
  }
  const reading = headers.get('x-search-reading');
  return {
    ...(body as Omit<Page<S>, 'reading' | 'release'>),
    ...(reading !== null && { reading: reading as NonNullable<Page<S>['reading']> }),
    release,
  };
}
