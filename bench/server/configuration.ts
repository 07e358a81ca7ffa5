/** The contenders as workerd configurations (Cap'n Proto texts), all alike but for the Worker and its bindings. */
import { join } from 'node:path';
import { unstable_readConfig } from 'wrangler';
import { PROJECT_FOLDER } from '../../scripts/cli/platform.ts';
import { DATABASE_HEADER, LANE_HEADER } from '../storage/protocol.ts';
import { type ContenderName, modulePath } from './bundle.ts';
import { ANY_PORT } from './workerd.ts';

/** `{ embed: path }` is the content of that file. */
type CapnpValue = string | boolean | CapnpValue[] | { readonly [name: string]: CapnpValue };

export interface Plan {
  readonly name: ContenderName;
  /** Of the run: takes the configurations and the database of D1, and has the bundles. */
  readonly folder: string;
  /** Folder with `live.ndjson`. */
  readonly sourceFolder: string;
  /** Attribution by token, for the plain contenders. */
  readonly knownTokens: unknown;
  /** What the limit answers, by case. */
  readonly answers: unknown;
  /** Where the stand-in for KV listens. */
  readonly storagePort: number;
  /** One isolate for each, which reads KV in the lane of this name. */
  readonly lanes: readonly string[];
  /** D1 alone: where its database listens. */
  readonly databasePort: number;
  readonly v8Flags: readonly string[];
}

const DATABASE_OBJECTS = {
  durableObjectNamespaces: [
    // Without `preventEviction` workerd drops the object, and what it holds, after ten idle seconds.
    { className: 'Database', uniqueKey: 'benchmark', enableSql: true, preventEviction: true },
  ],
  durableObjectStorage: { localDisk: 'database-disk' },
};

/** Beside the bundles; it has to be there. */
export const DATABASE_FOLDER = 'rows';

const RATE_LIMITER_MODULE = 'bench:rate-limiter';

/** What is looked at in wrangler's reading of wrangler.toml. */
interface Config {
  readonly compatibility_date: string;
  readonly vars: Readonly<Record<string, unknown>>;
  readonly kv_namespaces: readonly { readonly binding: string }[];
  readonly ratelimits?: readonly { readonly name: string }[];
}

const SERVICE: Config = unstable_readConfig(
  { config: join(PROJECT_FOLDER, 'wrangler.toml'), env: 'production' },
  { hideWarnings: true },
);

/** Returns the name of the socket behind which the isolate of a lane answers. */
export const socketOf = (lane: string): string => `main-${lane}`;

/** Returns the text of a configuration file. */
export function writeConfig(plan: Plan): string {
  return [
    'using Workerd = import "/workerd/workerd.capnp";',
    `const config :Workerd.Config = ${writeValue(configurationOf(plan))};`,
    '',
  ].join('\n');
}

function writeValue(value: CapnpValue): string {
  if (typeof value !== 'object') return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(writeValue).join(', ')}]`;
  const { embed } = value;
  if (embed) return `embed ${writeValue(embed)}`;
  const members = Object.entries(value).map(([name, member]) => `${name} = ${writeValue(member)}`);
  return `(${members.join(', ')})`;
}

function configurationOf(plan: Plan): CapnpValue {
  const { folder, lanes } = plan;
  const rateLimiter = { embed: modulePath(folder, 'rate-limiter') };
  return {
    services: [
      ...lanes.flatMap((lane) => isolateServices(plan, lane)),
      { name: 'source', disk: { path: plan.sourceFolder } },
      { name: 'database-disk', disk: { path: join(folder, DATABASE_FOLDER), writable: true } },
    ],
    sockets: lanes.map((lane) => ({
      name: socketOf(lane),
      address: ANY_PORT,
      http: {},
      service: socketOf(lane),
    })),
    v8Flags: [...plan.v8Flags],
    extensions: [
      { modules: [{ name: RATE_LIMITER_MODULE, esModule: rateLimiter, internal: true }] },
    ],
  };
}

/** Returns the Worker under test, and its ways to storage. */
function isolateServices(plan: Plan, lane: string): CapnpValue[] {
  const { name, folder, storagePort, databasePort } = plan;
  const [kv, database] = [`kv-${lane}`, `database-${lane}`];
  const inLane = { name: LANE_HEADER, value: lane };
  const forDatabase = { name: DATABASE_HEADER, value: String(databasePort) };
  const worker = {
    modules: [{ name: 'worker.js', esModule: { embed: modulePath(folder, name) } }],
    compatibilityDate: SERVICE.compatibility_date,
    bindings: bindingsOf(plan, kv, database),
    ...(name === 'database' && DATABASE_OBJECTS),
  };
  return [
    { name: socketOf(lane), worker },
    external(kv, storagePort, [inLane]),
    external(database, storagePort, [inLane, forDatabase]),
  ];
}

function bindingsOf(
  { name, knownTokens, answers }: Plan,
  kv: string,
  database: string,
): CapnpValue[] {
  const tokens = { name: 'TOKENS', json: JSON.stringify(knownTokens) };
  const stores = { name: 'STORES', service: 'source' };
  const d1 = {
    moduleName: 'cloudflare-internal:d1-api',
    innerBindings: [{ name: 'fetcher', service: database }],
  };
  const bindings: Readonly<Record<ContenderName, CapnpValue[]>> = {
    ours: serviceBindings(kv),
    limit: [{ name: 'ANSWERS', json: JSON.stringify(answers) }],
    obvious: [tokens, stores],
    // As queries take their time, so do tokens.
    d1: [tokens, { name: 'TOKEN_STORE', kvNamespace: kv }, { name: 'DB', wrapped: d1 }],
    database: [stores, { name: 'DATABASE', durableObjectNamespace: 'Database' }],
  };
  return bindings[name];
}

/** Returns the bindings of wrangler.toml for production. @param kv the service that all namespaces are read through */
function serviceBindings(kv: string): CapnpValue[] {
  const { vars, kv_namespaces: namespaces, ratelimits = [] } = SERVICE;
  return [
    ...Object.entries(vars).map(([name, value]) => ({ name, text: String(value) })),
    ...namespaces.map(({ binding }) => ({ name: binding, kvNamespace: kv })),
    ...ratelimits.map(({ name }) => ({ name, wrapped: { moduleName: RATE_LIMITER_MODULE } })),
  ];
}

function external(name: string, port: number, injectRequestHeaders: CapnpValue[]): CapnpValue {
  return { name, external: { address: `127.0.0.1:${port}`, http: { injectRequestHeaders } } };
}
