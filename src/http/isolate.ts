/** Makes what an isolate keeps from request to request: tokens, releases, working memory. */
import { Authenticator } from '../auth/authenticator.ts';
import { ENVIRONMENTS, isEnvironment } from '../auth/token.ts';
import type { LoadedRelease } from '../load/loaded-release.ts';
import { ReleaseHolder } from '../load/release-holder.ts';
import { SealedDocuments } from '../load/sealed-document.ts';
import { Scratch } from '../query/scratch.ts';
import { ChangeFinder } from '../query/store-changes.ts';
import { AnswerBuffer } from '../render/answer-buffer.ts';
import { lastRunSchema, liveReleaseSchema } from '../snapshot/manifest.ts';
import { KvSource } from '../storage/kv-source.ts';
import { R2Source } from '../storage/r2-source.ts';
import type { SnapshotSource } from '../storage/reading.ts';
import { type AppContext, logFault } from './trace.ts';

type Isolate = ReturnType<typeof createIsolate>;

/** By the bindings: an isolate has one such object all its life, each test has its own. */
const isolates = new WeakMap<Env, Isolate>();

/**
 * Returns what the isolate keeps for `env`, and makes it on first use.
 * @throws Error when a variable has no legal value
 */
export function isolateOf(env: Env): Isolate {
  let isolate = isolates.get(env);
  if (!isolate) {
    isolate = createIsolate(env);
    isolates.set(env, isolate);
  }
  return isolate;
}

/** Returns the live release. @throws ProblemError snapshot_missing, storage_unreachable */
export async function liveRelease(context: AppContext): Promise<LoadedRelease> {
  const trace = context.get('trace');
  const release = await isolateOf(context.env).releases.current(trace);
  trace.lap('load');
  trace.release = release.name;
  return release;
}

function createIsolate(env: Env) {
  const { ENVIRONMENT: environment } = env;
  if (!isEnvironment(environment)) {
    throw new Error(`ENVIRONMENT: got "${environment}", expected ${ENVIRONMENTS.join(', ')}`);
  }
  const source = snapshotSource(env);
  // Milliseconds between two reads of the pointer, or of when publishing last ran. KV's edge cache holds a
  // value for 30 s, so reading more often finds nothing new. A developer who publishes wants to see it at
  // once.
  const refreshInterval = environment === 'development' ? 1_000 : 30_000;
  const releases = new ReleaseHolder(source, refreshInterval, logFault);
  return {
    authenticator: new Authenticator(env.TOKENS, environment, logFault),
    releases,
    /** When publishing last ran to its end. */
    lastRuns: new SealedDocuments(
      source,
      lastRunSchema,
      refreshInterval,
      'When publishing last ran could not be read.',
    ),
    /** Kept releases by their keys. Each is read again after a while: it may have been given up. */
    keptReleases: new SealedDocuments(
      source,
      liveReleaseSchema,
      refreshInterval,
      'Which releases are kept could not be read from storage.',
    ),
    changes: new ChangeFinder(releases.memory),
    /** Working memory of queries and answers. Use what they hold before you await anything. */
    scratch: new Scratch(),
    buffer: new AnswerBuffer(),
  };
}

function snapshotSource(env: Env): SnapshotSource {
  switch (env.SNAPSHOT_STORE) {
    case 'kv':
      return new KvSource(env.SNAPSHOTS);
    case 'r2':
      return new R2Source(env.SNAPSHOT_BUCKET, caches.default, logFault);
    default:
      throw new Error(`SNAPSHOT_STORE: got "${env.SNAPSHOT_STORE}", expected kv or r2`);
  }
}
