/**
 * A D1 database as workerd's D1 binding asks for it over HTTP: SQLite in a Durable Object, which is
 * what D1 is. It fills itself with the stores of the benchmark when it is first asked.
 */
import { DurableObject } from 'cloudflare:workers';
import { displayedLocations } from '../../scripts/compile/derive-store.ts';
import type { SourceStore } from '../../scripts/compile/source-store.ts';
import { NAME_ORDERS, nameCollator, nameColumn } from './plain/read-query.ts';
import { readStores } from './plain/read-stores.ts';

interface Env {
  readonly STORES: Fetcher;
  readonly DATABASE: DurableObjectNamespace;
}

interface Query {
  readonly sql: string;
  readonly params?: readonly SqlStorageValue[] | null;
}

const NAME_COLUMNS = NAME_ORDERS.map(nameColumn);

const TABLES = `
  CREATE TABLE stores (
    id TEXT PRIMARY KEY, slug TEXT UNIQUE, rating REAL, created_at TEXT,
    ${NAME_COLUMNS.map((column) => `${column} INTEGER`).join(', ')}, document TEXT
  );
  CREATE TABLE verticales (
    verticale TEXT, store_id TEXT, PRIMARY KEY (verticale, store_id)
  ) WITHOUT ROWID;
  CREATE TABLE places (store_id TEXT, number INTEGER, lat REAL, lng REAL);
`;

/** Made when all rows are there: keeping them up to date row by row takes minutes. */
const INDEXES = `
  ${NAME_COLUMNS.map((column) => `CREATE INDEX stores_${column} ON stores (${column});`).join('\n')}
  CREATE INDEX stores_rating ON stores (rating DESC, ${nameColumn(null)});
  CREATE INDEX stores_created ON stores (created_at);
  CREATE INDEX places_point ON places (lat, lng);
`;

/** Stores of one transaction. */
const BATCH = 1_000;

export class Database extends DurableObject<Env> {
  private readonly sql: SqlStorage;

  constructor(state: DurableObjectState, env: Env) {
    super(state, env);
    this.sql = state.storage.sql;
    state.blockConcurrencyWhile(() => this.fill());
  }

  override async fetch(request: Request): Promise<Response> {
    const queries = await request.json<Query | Query[]>();
    return Response.json([queries].flat().map((query) => this.run(query)));
  }

  private run({ sql, params }: Query) {
    const cursor = this.sql.exec(sql, ...(params ?? []));
    const columns = cursor.columnNames;
    return { success: true, results: { columns, rows: [...cursor.raw()] }, meta: {} };
  }

  private async fill(): Promise<void> {
    this.sql.exec(TABLES);
    // Read twice: ranks that came later would write every document anew.
    const ranks = await rankNames(readStores(this.env.STORES));
    let batch: SourceStore[] = [];
    // What is written before the next read is one transaction.
    const write = () => {
      for (const store of batch) this.insert(store, ranks);
      batch = [];
    };
    for await (const store of readStores(this.env.STORES)) {
      batch.push(store);
      if (batch.length === BATCH) write();
    }
    write();
    this.sql.exec(INDEXES);
  }

  private insert(store: SourceStore, ranks: readonly ReadonlyMap<string, number>[]): void {
    const { id, slug, reviews, metadata, profile } = store;
    this.sql.exec(
      `INSERT INTO stores (id, slug, rating, created_at, ${NAME_COLUMNS.join(', ')}, document)
       VALUES (?, ?, ?, ?, ${NAME_COLUMNS.map(() => '?').join(', ')}, ?)`,
      ...[id, slug, reviews.external?.rating ?? null, metadata.timestamps.createdAt],
      ...ranks.map((rank) => rank.get(id) ?? null),
      JSON.stringify(store),
    );
    for (const verticale of profile.verticales) {
      this.sql.exec('INSERT INTO verticales VALUES (?, ?)', verticale, id);
    }
    for (const [number, { point }] of displayedLocations(store).entries()) {
      this.sql.exec('INSERT INTO places VALUES (?, ?, ?, ?)', id, number, point.lat, point.lng);
    }
  }
}

/** Ranks stores by name, for each order of names. Returns ranks by id. */
async function rankNames(stores: AsyncIterable<SourceStore>): Promise<Map<string, number>[]> {
  const rows: { id: string; name: string }[] = [];
  for await (const { id, profile } of stores) rows.push({ id, name: profile.name });
  return NAME_ORDERS.map((language) => rankBy(rows, nameCollator(language)));
}

/** Ranks stores by one order of names. Returns ranks by id; equal names have equal ranks. */
function rankBy(
  rows: readonly { readonly id: string; readonly name: string }[],
  { compare }: Intl.Collator,
): Map<string, number> {
  const ranks = new Map<string, number>();
  let rank = 0;
  let before: string | undefined;
  for (const { id, name } of rows.toSorted((a, b) => compare(a.name, b.name))) {
    if (before !== undefined && compare(before, name) !== 0) rank++;
    before = name;
    ranks.set(id, rank);
  }
  return ranks;
}

/** What the D1 binding talks to. */
export default {
  fetch: (request, env) => env.DATABASE.get(env.DATABASE.idFromName('stores')).fetch(request),
} satisfies ExportedHandler<Env>;
