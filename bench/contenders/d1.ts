/**
 * The usual answer on Workers: Hono on D1. Stores are rows with indexed columns and their document
 * as JSON; a search by position asks for a bounding box and measures what it holds.
 */
import { Hono } from 'hono';
import type { SourceStore } from '../../scripts/compile/source-store.ts';
import { checkToken, type TokenEnv } from './plain/check-token.ts';
import {
  describeStore,
  isWithin,
  measure,
  type Nearest,
  showStore,
} from './plain/describe-store.ts';
import { nameColumn, type PlainQuery, type Position, readQuery } from './plain/read-query.ts';

interface Env extends TokenEnv {
  Bindings: TokenEnv['Bindings'] & { readonly DB: D1Database };
}

interface PlaceRow {
  readonly store_id: string;
  readonly number: number;
  readonly lat: number;
  readonly lng: number;
}

interface Page {
  readonly total: number;
  readonly rows: readonly { readonly source: SourceStore; readonly nearest: Nearest | null }[];
}

/** Columns by sortable field; names have one for each language. */
const COLUMNS: Readonly<Record<string, string>> = {
  externalRating: 'rating',
  'metadata.timestamps.createdAt': 'created_at',
};

const app = new Hono<Env>();

app.use('/v2/*', checkToken);

app.get('/v2/external/stores', async (context) => {
  const query = readQuery(context.req.query());
  const page = query.position
    ? await pageNear(context.env.DB, query, query.position)
    : await pageInOrder(context.env.DB, query);
  const docs = page.rows.map(({ source, nearest }) => {
    const plain = describeStore(source, query.language);
    return showStore(plain, source, nearest, context.var.utm, query.fields);
  });
  return context.json({ total: page.total, docs });
});

app.get('/v2/external/stores/:id', async (context) => {
  const row = await context.env.DB.prepare('SELECT document FROM stores WHERE id = ?1 OR slug = ?1')
    .bind(context.req.param('id'))
    .first<{ document: string }>();
  if (!row) return context.json({ title: 'Not Found', status: 404 }, 404);
  const { language } = readQuery(context.req.query());
  return context.json(describeStore(JSON.parse(row.document), language));
});

export default app;

async function pageInOrder(db: D1Database, query: PlainQuery): Promise<Page> {
  const { verticales } = query;
  const condition = verticales
    ? `WHERE id IN (SELECT store_id FROM verticales WHERE verticale IN (${marks(verticales)}))`
    : '';
  const keys = query.sort.map(({ field, descending }) => {
    const column = field === 'name' ? nameColumn(query.language) : COLUMNS[field];
    return `${column} ${descending ? 'DESC' : 'ASC'} NULLS LAST`;
  });
  const order = [...keys, 'id'].join(', ');
  const [count, page] = await db.batch<{ total: number; document: string }>([
    db.prepare(`SELECT count(*) AS total FROM stores ${condition}`).bind(...(verticales ?? [])),
    db
      .prepare(`SELECT document FROM stores ${condition} ORDER BY ${order} LIMIT ? OFFSET ?`)
      .bind(...(verticales ?? []), query.limit, query.skip),
  ]);
  return {
    total: count?.results[0]?.total ?? 0,
    rows: (page?.results ?? []).map(({ document }) => ({
      source: JSON.parse(document),
      nearest: null,
    })),
  };
}

async function pageNear(db: D1Database, query: PlainQuery, position: Position): Promise<Page> {
  const found = [...(await nearestPlaces(db, position))];
  found.sort(([a, nearA], [b, nearB]) => nearA.millimetres - nearB.millimetres || (a < b ? -1 : 1));
  const page = found.slice(query.skip, query.skip + query.limit);
  const ids = page.map(([id]) => id);
  const { results } = await db
    .prepare(`SELECT id, document FROM stores WHERE id IN (${marks(ids)})`)
    .bind(...ids)
    .all<{ id: string; document: string }>();
  const documents = new Map(results.map(({ id, document }) => [id, document]));
  return {
    total: found.length,
    rows: page.map(([id, nearest]) => ({ source: JSON.parse(documents.get(id) ?? ''), nearest })),
  };
}

/** Returns the nearest location of each store within the radius, by store id. */
async function nearestPlaces(db: D1Database, position: Position): Promise<Map<string, Nearest>> {
  const nearest = new Map<string, Nearest>();
  const { results } = await db
    .prepare(
      'SELECT * FROM places WHERE lat BETWEEN ? AND ? AND lng BETWEEN ? AND ? ORDER BY number',
    )
    .bind(...boxAround(position))
    .all<PlaceRow>();
  for (const { store_id, number, ...point } of results) {
    const found = measure(position, number, point);
    const known = nearest.get(store_id);
    if (!isWithin(position, found) || (known && known.millimetres <= found.millimetres)) continue;
    nearest.set(store_id, found);
  }
  return nearest;
}

/** More than a millimetre: makes up for rounding, exact distances decide afterwards. */
const MARGIN = 1e-7;
const DEGREES = 180 / Math.PI;
const EARTH_RADIUS = 6371;

/**
 * Returns the least and greatest latitude, then longitude. Half the width is by the formula of J. P.
 * Matuschek, "Finding points within a distance of a latitude/longitude using bounding coordinates":
 * asin(sin(r) / cos(latitude)). The towns that are asked for are far from the poles and the antimeridian.
 */
function boxAround({ latitude, longitude, radius }: Position) {
  const angle = radius / EARTH_RADIUS;
  const height = angle * DEGREES + MARGIN;
  const width = Math.asin(Math.sin(angle) / Math.cos(latitude / DEGREES)) * DEGREES + MARGIN;
  return [latitude - height, latitude + height, longitude - width, longitude + width];
}

/** Returns a question mark for each value. */
function marks(values: readonly unknown[]): string {
  return values.map(() => '?').join(',');
}
