/** `GET /v2/external/changes`: which stores differ between two releases. */
import { z } from 'zod';
import type { LoadedRelease } from '../load/loaded-release.ts';
import { ProblemError } from '../problem.ts';
import { CHANGE_KINDS } from '../query/compare-releases.ts';
import type { ChangesQuery } from '../query/queries.ts';
import { StoreChanges } from '../query/store-changes.ts';
import { type Comparison, comparisonOf } from '../snapshot/comparison.ts';
import { SnapshotFormatError } from '../snapshot/format-error.ts';
import { parseReleaseName } from '../snapshot/keys.ts';
import { admitCaller } from './admission.ts';
import { entityTag } from './entity-tag.ts';
import type { Exchange, Reply } from './exchange.ts';
import { type Isolate, isolateOf } from './isolate.ts';
import { nextLink } from './next-link.ts';
import { understandChanges } from './query/understand.ts';
import { isCurrent, notModified, storeHeaders } from './store-headers.ts';

/** A release that a query names. */
interface NamedRelease {
  readonly name: string;
  /** Id of its content. */
  readonly content: string;
  /** When it was published, as headers write it. */
  readonly lastModified: string;
  /** Null where a tool compiled it that left out what is compared. */
  readonly comparison: Comparison | null;
}

export const changesSchema = z
  .strictObject({
    release: z
      .string()
      .describe('The later of the two releases. Ask for the changes since it the next time.'),
    since: z.string().describe('The earlier one.'),
    total: z.int().min(0).describe('Number of stores that differ, whatever the page.'),
    docs: z
      .array(
        z
          .strictObject({
            id: z.string(),
            slug: z.string().describe('Of a removed store the last one that it had.'),
            change: z
              .enum(CHANGE_KINDS)
              .describe(
                'Changed is a store of which some answer could differ, in any language. Of added and changed stores ask for the new content by id.in, a hundred at a time.',
              ),
          })
          .meta({ id: 'StoreChange' }),
      )
      .max(1000)
      .describe('In the order of ids.'),
  })
  .meta({ id: 'ChangeList' });

/** `GET /v2/external/changes`. */
export async function listChanges(exchange: Exchange): Promise<Reply> {
  const isolate = isolateOf(exchange.env);
  await admitCaller(exchange, isolate, () => prepare(exchange, isolate));
  const { query, canonical } = understandChanges(exchange.query);
  exchange.canonicalQuery = canonical;
  exchange.stopwatch.lap('query');
  const live = await isolate.releases.current(exchange);
  const [since, until] = await Promise.all([
    findRelease(query.since, live, isolate, exchange),
    findRelease(query.until ?? live.name, live, isolate, exchange),
  ]);
  exchange.stopwatch.lap('load');
  exchange.release = until.name;
  const tag = entityTag(`${since.content}${until.content}`, `${canonical} ${until.name}`, '');
  const headers = storeHeaders(until.lastModified, tag);
  if (isCurrent(exchange, tag)) return notModified(headers);
  const changes = await changesBetween(since, until, isolate, exchange);
  exchange.stopwatch.lap('load');
  const page = changes.page(query);
  const { total } = changes;
  const body = JSON.stringify({ release: until.name, since: since.name, total, docs: page.docs });
  exchange.stopwatch.lap('render');
  return { status: 200, body, headers: { ...headers, ...linkOf(page, query, until, exchange) } };
}

/** Begins to read what the answer of a fresh isolate needs while the token is asked for. */
function prepare(exchange: Exchange, { releases, names }: Isolate): void {
  releases.prepare([], exchange);
  try {
    const { since, until } = understandChanges(exchange.query).query;
    for (const name of until === null ? [since] : [since, until]) {
      exchange.defer(names.find(name, exchange).catch(() => {}));
    }
  } catch {
    // The query is refused when its turn comes.
  }
}

/**
 * The kept release of a name. Its number alone says nothing: the content has to be the one that went
 * live under it.
 * @throws ProblemError release_not_here_yet, release_gone, storage_unreachable
 */
async function findRelease(
  name: string,
  live: LoadedRelease,
  { names }: Isolate,
  exchange: Exchange,
): Promise<NamedRelease> {
  const { number, release: content } = parseReleaseName(name) ?? { number: 0, release: '' };
  if (name === live.name) {
    const { manifest, publishedAt, lastModified } = live;
    const comparison = comparisonOf({ manifest, publishedAt: publishedAt.toISOString() });
    return { name, content, lastModified, comparison };
  }
  if (number > live.number) {
    const detail = `Release ${name} has not reached this place yet, which has ${live.name}.`;
    throw new ProblemError('release_not_here_yet', detail);
  }
  const comparison = await names.find(name, exchange);
  if (!comparison) throw gone(name);
  const lastModified = new Date(comparison.publishedAt).toUTCString();
  return { name, content, lastModified, comparison };
}

/** @throws ProblemError release_gone, storage_unreachable */
async function changesBetween(
  since: NamedRelease,
  until: NamedRelease,
  { changes }: Isolate,
  exchange: Exchange,
): Promise<StoreChanges> {
  if (since.content === until.content) return StoreChanges.NONE;
  if (!since.comparison || !until.comparison) throw gone(since.name);
  try {
    return await changes.find(since.comparison, until.comparison, exchange);
  } catch (error) {
    if (!(error instanceof SnapshotFormatError)) throw error;
    const detail = 'Part of what is compared is damaged.';
    throw new ProblemError('storage_unreachable', detail, { cause: error });
  }
}

function gone(name: string): ProblemError {
  const advice =
    'Walk the whole list anew by after, and go on from the lowest release of its pages.';
  return new ProblemError('release_gone', `No release ${name} is kept. ${advice}`);
}

/** The next page is one of the same two releases, whatever goes live meanwhile. */
function linkOf(
  { docs, hasMore }: ReturnType<StoreChanges['page']>,
  { limit }: ChangesQuery,
  until: NamedRelease,
  { path, query }: Exchange,
): { link?: string } {
  const last = docs.at(-1);
  if (!hasMore || limit === 0 || !last) return {};
  return nextLink(path, query, { skip: null, until: until.name, after: last.id });
}
