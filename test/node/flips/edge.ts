/** Three workerd processes, an isolate of the service in each, over one KV namespace beside them. */
import { join } from 'node:path';
import { build } from 'esbuild';
import { type Publication, putLive, writeTokens } from '../../../bench/data/documents.ts';
import { type BenchTokens, makeTokens } from '../../../bench/data/tokens.ts';
import { type RunningContender, startContender } from '../../../bench/server/contender.ts';
import { Storage } from '../../../bench/storage/storage.ts';
import { PROJECT_FOLDER } from '../../../scripts/cli/platform.ts';

export const PROCESSES = 3;

export class Edge {
  /** Where each process listens. */
  readonly ports: readonly number[];
  readonly tokens: BenchTokens;
  private readonly folder: string;
  private readonly storage: Storage;
  private readonly running: readonly RunningContender[];
  /** What is live. */
  private live: Publication | null;

  private constructor(
    folder: string,
    storage: Storage,
    running: readonly RunningContender[],
    tokens: BenchTokens,
    live: Publication,
  ) {
    this.folder = folder;
    this.storage = storage;
    this.running = running;
    this.ports = running.map(({ port }) => port);
    this.tokens = tokens;
    this.live = live;
  }

  /**
   * @param folder for what is stored and bundled
   * @param objectsFolder has the objects of every release, by hash
   */
  static async open(folder: string, objectsFolder: string, first: Publication): Promise<Edge> {
    const documents = join(folder, 'documents');
    const tokens = await makeTokens();
    await writeTokens(documents, tokens);
    await putLive(documents, first);
    const storage = await Storage.start(documents, [{ objectsFolder, manifest: first.manifest }]);
    const stage = {
      ...{ folder, sourceFolder: folder, databaseFolder: folder, knownTokens: {}, answers: {} },
      modules: await bundleModules(folder),
      storagePort: storage.port,
    };
    const start = () => startContender('ours', stage);
    const running = await Promise.all(Array.from({ length: PROCESSES }, start));
    return new Edge(folder, storage, running, tokens, first);
  }

  /** Turns the pointer. */
  async turn(publication: Publication): Promise<void> {
    await putLive(join(this.folder, 'documents'), publication, this.live);
    this.live = publication;
  }

  async close(): Promise<void> {
    await Promise.all([this.storage.stop(), ...this.running.map(({ process }) => process.stop())]);
  }
}

/** The service on a clock that tests set, and the rate limiter beside it; no other contender runs. */
async function bundleModules(folder: string) {
  const names = {
    service: 'test/worker/told-time-worker.ts',
    limiter: 'bench/workers/rate-limiter.ts',
  };
  const entryPoints = Object.entries(names).map(([out, file]) => ({
    ...{ out, in: join(PROJECT_FOLDER, file) },
  }));
  await build({
    entryPoints,
    outdir: folder,
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    conditions: ['workerd', 'worker', 'browser', 'import'],
    external: ['cloudflare:*'],
    logLevel: 'warning',
  });
  const others = { limit: '', obvious: '', d1: '', d1Database: '' };
  return {
    ...others,
    ours: join(folder, 'service.js'),
    rateLimiter: join(folder, 'limiter.js'),
  };
}
