/** The contenders as workerd configurations, all alike but for the Worker and its bindings. */
import { DATABASE_HEADER, LANE_HEADER } from '../storage/protocol.ts';
import { type CapnpValue, embed } from './capnp.ts';
import { compatibilityDate, RATE_LIMITER_MODULE, serviceBindings } from './service-bindings.ts';
import { ANY_PORT } from './workerd.ts';

/** Socket behind which the database of D1 can be asked by others. */
export const DATABASE_SOCKET = 'database';

const DATABASE = 'database';

export type ContenderName = 'ours' | 'limit' | 'obvious' | 'd1';

/** Paths of bundled modules. */
export interface Modules {
  readonly ours: string;
  readonly limit: string;
  readonly obvious: string;
  readonly d1: string;
  readonly d1Database: string;
  readonly rateLimiter: string;
}

export interface Plan {
  readonly name: ContenderName;
  readonly modules: Modules;
  /** Folder with `stores.ndjson`. */
  readonly sourceFolder: string;
  /** Empty; takes the database of D1. */
  readonly databaseFolder: string;
  /** Attribution by token, for the plain contenders. */
  readonly knownTokens: unknown;
  /** What the limit answers, by case. */
  readonly answers: unknown;
  /** Where the stand-in for KV listens. */
  readonly storagePort: number;
  /** One isolate for each, which reads KV in the lane of this name. */
  readonly lanes: readonly string[];
  /** D1 alone: port of another process's database, to be asked through the stand-in for KV. */
  readonly databasePort: number | null;
  readonly v8Flags: readonly string[];
  /** Rate limiters of the service that count as they do in production. */
  readonly limited: readonly string[];
}

/** The name of the socket behind which the isolate of a lane answers. */
export const socketOf = (lane: string): string => `main-${lane}`;

export function configurationOf(plan: Plan): CapnpValue {
  const { name, modules, lanes } = plan;
  const ownsDatabase = name === 'd1' && plan.databasePort === null;
  const databaseSocket = { name: DATABASE_SOCKET, address: ANY_PORT, http: {}, service: DATABASE };
  return {
    services: [
      ...lanes.flatMap((lane) => isolateServices(plan, lane)),
      { name: 'source', disk: { path: plan.sourceFolder } },
      ...(ownsDatabase ? databaseServices(modules.d1Database, plan.databaseFolder) : []),
    ],
    sockets: [
      ...lanes.map((lane) => ({
        name: socketOf(lane),
        address: ANY_PORT,
        http: {},
        service: socketOf(lane),
      })),
      ...(ownsDatabase ? [databaseSocket] : []),
    ],
    v8Flags: plan.v8Flags,
    extensions: [
      {
        modules: [
          { name: RATE_LIMITER_MODULE, esModule: embed(modules.rateLimiter), internal: true },
        ],
      },
    ],
  };
}

/** The Worker under test, and its ways to storage. */
function isolateServices(plan: Plan, lane: string): CapnpValue[] {
  const { name, modules, storagePort, databasePort } = plan;
  const kv = `kv-${lane}`;
  const database = databasePort === null ? DATABASE : `database-${lane}`;
  const inLane = { name: LANE_HEADER, value: lane };
  const services: CapnpValue[] = [
    { name: socketOf(lane), worker: worker(modules[name], bindingsOf(plan, kv, database)) },
    external(kv, storagePort, [inLane]),
  ];
  if (databasePort === null) return services;
  const forDatabase = { name: DATABASE_HEADER, value: String(databasePort) };
  return [...services, external(database, storagePort, [inLane, forDatabase])];
}

function bindingsOf(
  { name, knownTokens, answers, databasePort, limited }: Plan,
  kv: string,
  database: string,
): CapnpValue[] {
  switch (name) {
    case 'ours':
      return serviceBindings(kv, limited);
    case 'limit':
      return [{ name: 'ANSWERS', json: JSON.stringify(answers) }];
    case 'obvious':
      return [{ name: 'TOKENS', json: JSON.stringify(knownTokens) }, service('STORES', 'source')];
    case 'd1':
      return [
        { name: 'TOKENS', json: JSON.stringify(knownTokens) },
        // Where queries take their time, tokens do, too.
        ...(databasePort === null ? [] : [{ name: 'TOKEN_STORE', kvNamespace: kv }]),
        {
          name: 'DB',
          wrapped: {
            moduleName: 'cloudflare-internal:d1-api',
            innerBindings: [service('fetcher', database)],
          },
        },
      ];
  }
}

function worker(module: string, bindings: readonly CapnpValue[]): { [name: string]: CapnpValue } {
  return {
    modules: [{ name: 'worker.js', esModule: embed(module) }],
    compatibilityDate: compatibilityDate(),
    bindings,
  };
}

function databaseServices(module: string, folder: string): CapnpValue[] {
  const binding = { name: 'DATABASE', durableObjectNamespace: 'Database' };
  // Without it workerd drops the object, and what it holds in memory, after ten idle seconds.
  const lasting = { enableSql: true, preventEviction: true };
  const namespace = { className: 'Database', uniqueKey: 'benchmark', ...lasting };
  const database = {
    ...worker(module, [service('STORES', 'source'), binding]),
    durableObjectNamespaces: [namespace],
    durableObjectStorage: { localDisk: 'database-disk' },
  };
  return [
    { name: DATABASE, worker: database },
    { name: 'database-disk', disk: { path: folder, writable: true } },
  ];
}

function external(
  name: string,
  port: number,
  injectRequestHeaders: readonly CapnpValue[],
): CapnpValue {
  return { name, external: { address: `127.0.0.1:${port}`, http: { injectRequestHeaders } } };
}

function service(name: string, target: string): CapnpValue {
  return { name, service: target };
}
