/**
 * The obvious app: Hono, every store as an object in memory, `filter`, `sort`, `slice` and
 * `c.json`. What is answered often is derived once and kept, as anyone would soon do.
 */
import { Hono } from 'hono';
import type { SourceStore } from '../../scripts/compile/source-store.ts';
import type { Language } from '../../src/model/enumerations.ts';
import type { Store } from '../../src/model/store.ts';
import { checkToken, type TokenEnv } from './plain/check-token.ts';
import { describeStore, findNearest, type Nearest, showStore } from './plain/describe-store.ts';
import { nameCollator, type PlainQuery, readQuery } from './plain/read-query.ts';
import { readStores } from './plain/read-stores.ts';

interface Env extends TokenEnv {
  Bindings: TokenEnv['Bindings'] & { readonly STORES: Fetcher };
}

interface Entry {
  readonly source: SourceStore;
  /** Null without a position. */
  readonly nearest: Nearest | null;
}

type Compare = (a: Entry, b: Entry) => number;

let stores: SourceStore[] | undefined;
const described = new Map<string, WeakMap<SourceStore, Store>>();

const app = new Hono<Env>();

app.use('/v2/*', checkToken);

app.use('/v2/*', async (context, next) => {
  stores ??= await Array.fromAsync(readStores(context.env.STORES));
  await next();
});

app.get('/v2/external/stores', (context) => {
  const query = readQuery(context.req.query());
  const found = orderEntries(findEntries(stores ?? [], query), query);
  const docs = found.slice(query.skip, query.skip + query.limit).map(({ source, nearest }) => {
    const plain = describeOnce(source, query.language);
    return showStore(plain, source, nearest, context.var.utm, query.fields);
  });
  return context.json({ total: found.length, docs });
});

app.get('/v2/external/stores/:id', (context) => {
  const wanted = context.req.param('id');
  const source = stores?.find(({ id, slug }) => id === wanted || slug === wanted);
  if (!source) return context.json({ title: 'Not Found', status: 404 }, 404);
  const { language, fields } = readQuery(context.req.query());
  const plain = describeOnce(source, language);
  return context.json(showStore(plain, source, null, context.var.utm, fields));
});

export default app;

function describeOnce(source: SourceStore, language: Language | null): Store {
  const name = language ?? 'default';
  const known = described.get(name) ?? new WeakMap<SourceStore, Store>();
  described.set(name, known);
  const store = known.get(source) ?? describeStore(source, language);
  known.set(source, store);
  return store;
}

function findEntries(all: readonly SourceStore[], query: PlainQuery): Entry[] {
  const { verticales, position } = query;
  return all
    .filter(({ profile }) => !verticales || profile.verticales.some((v) => verticales.includes(v)))
    .map((source) => ({ source, nearest: position && findNearest(source, position) }))
    .filter(({ nearest }) => !position || nearest);
}

function orderEntries(entries: Entry[], query: PlainQuery): Entry[] {
  const comparisons = query.sort.map(({ field, descending }): Compare => {
    const compare = comparisonOf(field, query.language);
    return descending ? (a, b) => compare(b, a) : compare;
  });
  if (query.sort.length === 0 && query.position) comparisons.push(byDistance);
  comparisons.push(byId);
  return entries.sort((a, b) => {
    for (const compare of comparisons) {
      const order = compare(a, b);
      if (order !== 0) return order;
    }
    return 0;
  });
}

const byDistance: Compare = (a, b) => (a.nearest?.millimetres ?? 0) - (b.nearest?.millimetres ?? 0);
const byId: Compare = (a, b) => compareText(a.source.id, b.source.id);

function comparisonOf(field: string, language: Language | null): Compare {
  if (field === 'name') {
    const { compare } = nameCollator(language);
    return (a, b) => compare(a.source.profile.name, b.source.profile.name);
  }
  if (field === 'externalRating') return (a, b) => ratingOf(a) - ratingOf(b);
  return (a, b) => compareText(createdAt(a), createdAt(b));
}

/** Returns a rating to sort by. Missing ones come last; this app sorts ratings in descending order only. */
const ratingOf = ({ source }: Entry) => source.reviews.external?.rating ?? -1;
const createdAt = ({ source }: Entry) => source.metadata.timestamps.createdAt;

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
