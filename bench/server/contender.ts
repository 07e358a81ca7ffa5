/** The contenders as workerd configurations, all alike but for the Worker and its bindings. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type CapnpValue, embed, writeConfig } from './capnp.ts';
import { ANY_PORT, WorkerdProcess } from './workerd.ts';

/** The date of wrangler.toml. */
const COMPATIBILITY_DATE = '2026-08-15';

/** Sockets of every configuration: the Worker under test, KV, and the counter of its reads. */
const MAIN_SOCKET = 'main';
const KV_SOCKET = 'kv';
const COUNTER_SOCKET = 'counter';
const SOCKETS = [MAIN_SOCKET, KV_SOCKET, COUNTER_SOCKET];

const OTHER_KV = 'other-kv';
const RATE_LIMITER_MODULE = 'bench:rate-limiter';
/** Requests a minute that no benchmark reaches. */
const UNREACHED_LIMIT = '1000000000';

export type ContenderName = 'ours' | 'limit' | 'obvious' | 'd1' | 'empty';

/** Paths of bundled modules. */
export interface Modules {
  readonly ours: string;
  readonly limit: string;
  readonly obvious: string;
  readonly d1: string;
  readonly empty: string;
  readonly kv: string;
  readonly d1Database: string;
  readonly rateLimiter: string;
}

/** Folders that the configuration serves to its Workers. */
export interface DataFolders {
  /** Holds `stores.ndjson`. */
  readonly source: string;
  /** Objects of the compiled snapshot, named by hash. */
  readonly objects: string;
  /** Everything else that is in KV. */
  readonly documents: string;
  /** Empty; takes the database of D1. */
  readonly database: string;
}

export interface ContenderSetup {
  readonly modules: Modules;
  readonly folders: DataFolders;
  /** Attribution by token, for the plain contenders. */
  readonly tokens: unknown;
  /** What the limit answers. */
  readonly answers: unknown;
  /** Takes the configuration. */
  readonly folder: string;
}

export interface RunningContender {
  readonly name: ContenderName;
  readonly process: WorkerdProcess;
  readonly port: number;
  /** Where its KV can be asked by others. */
  readonly kvPort: number;
  /** Values read from KV since the process started. */
  readonly countReads: () => Promise<number>;
}

export interface StartOptions {
  /** Whether to serve the inspector protocol, too. */
  readonly inspect?: boolean;
  /** Another process's KV to use, so that its work is not this one's. */
  readonly kvPort?: number;
}

export async function startContender(
  name: ContenderName,
  setup: ContenderSetup,
  { inspect = false, kvPort }: StartOptions = {},
): Promise<RunningContender> {
  const configFile = join(setup.folder, `${name}.capnp`);
  await writeFile(configFile, writeConfig(configOf(name, setup, kvPort)));
  const process = await WorkerdProcess.start(configFile, SOCKETS, inspect);
  const countReads = async () => {
    const response = await fetch(`http://127.0.0.1:${process.port(COUNTER_SOCKET)}/`);
    const { reads } = (await response.json()) as { reads: number };
    return reads;
  };
  const [port, ownKvPort] = [process.port(MAIN_SOCKET), process.port(KV_SOCKET)];
  return { name, process, port, kvPort: ownKvPort, countReads };
}

function configOf(
  name: ContenderName,
  setup: ContenderSetup,
  kvPort: number | undefined,
): CapnpValue {
  const { modules, folders } = setup;
  const boundKv = kvPort === undefined ? 'kv' : OTHER_KV;
  const main = worker(modules[name], bindingsOf(name, setup, boundKv));
  const kv = worker(modules.kv, [service('OBJECTS', 'objects'), service('DOCUMENTS', 'documents')]);
  return {
    services: [
      { name: 'main', worker: main },
      { name: 'kv', worker: kv },
      disk('objects', folders.objects),
      disk('documents', folders.documents),
      disk('source', folders.source),
      ...(kvPort === undefined
        ? []
        : [{ name: OTHER_KV, external: { address: `127.0.0.1:${kvPort}`, http: {} } }]),
      ...(name === 'd1' ? databaseServices(modules.d1Database, folders.database) : []),
    ],
    sockets: [
      { name: MAIN_SOCKET, address: ANY_PORT, http: {}, service: 'main' },
      { name: KV_SOCKET, address: ANY_PORT, http: {}, service: 'kv' },
      {
        name: COUNTER_SOCKET,
        address: ANY_PORT,
        http: {},
        service: { name: 'kv', entrypoint: 'counter' },
      },
    ],
    // Else it runs out of memory on the way to 100,000 stores.
    v8Flags: name === 'obvious' ? ['--max-old-space-size=4000'] : [],
    extensions: [
      {
        modules: [
          { name: RATE_LIMITER_MODULE, esModule: embed(modules.rateLimiter), internal: true },
        ],
      },
    ],
  };
}

function bindingsOf(
  name: ContenderName,
  { tokens, answers }: ContenderSetup,
  kv: string,
): CapnpValue[] {
  switch (name) {
    case 'ours':
      return serviceBindings(kv);
    case 'limit':
      return [{ name: 'ANSWERS', json: JSON.stringify(answers) }];
    case 'obvious':
      return [{ name: 'TOKENS', json: JSON.stringify(tokens) }, service('STORES', 'source')];
    case 'd1':
      return [
        { name: 'TOKENS', json: JSON.stringify(tokens) },
        {
          name: 'DB',
          wrapped: {
            moduleName: 'cloudflare-internal:d1-api',
            innerBindings: [service('fetcher', 'database')],
          },
        },
      ];
    case 'empty':
      return [];
  }
}

/** What wrangler.toml binds for production. */
function serviceBindings(kv: string): CapnpValue[] {
  return [
    { name: 'ENVIRONMENT', text: 'production' },
    { name: 'SNAPSHOT_STORE', text: 'kv' },
    { name: 'RATE_LIMIT_PERIOD', text: '60' },
    { name: 'SNAPSHOTS', kvNamespace: kv },
    { name: 'TOKENS', kvNamespace: kv },
    {
      name: 'RATE_LIMITER',
      wrapped: {
        moduleName: RATE_LIMITER_MODULE,
        innerBindings: [
          { name: 'limit', json: UNREACHED_LIMIT },
          { name: 'period', json: '60' },
        ],
      },
    },
  ];
}

function worker(module: string, bindings: readonly CapnpValue[]): { [name: string]: CapnpValue } {
  return {
    modules: [{ name: 'worker.js', esModule: embed(module) }],
    compatibilityDate: COMPATIBILITY_DATE,
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
    { name: 'database', worker: database },
    { name: 'database-disk', disk: { path: folder, writable: true } },
  ];
}

function service(name: string, target: string): CapnpValue {
  return { name, service: target };
}

function disk(name: string, path: string): CapnpValue {
  return { name, disk: { path } };
}
