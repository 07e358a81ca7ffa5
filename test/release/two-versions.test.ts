/**
 * An upgrade and the way back, while requests come without pause: two Workers and the tools of two
 * format versions over one KV namespace. The second version is this tree with another number.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { KVNamespace, R2Bucket } from '@cloudflare/workers-types';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestHarness, type TestHarness } from 'wrangler';
import { OFFLINE_VARIABLES } from '../../scripts/cli/platform.ts';
import { LocalKv } from '../../scripts/storage/local-kv.ts';
import { SYSTEM_CLOCK } from '../../scripts/storage/pace.ts';
import { issueToken } from '../../scripts/token/issue-token.ts';
import { FORMAT_VERSION, snapshotPrefix } from '../../src/snapshot/keys.ts';
import { bundleWorker, loadTools, type Tools } from '../support/bundle-version.ts';
import { buildStore } from '../support/stores/store-builder.ts';
import * as toolsOfThisTree from '../support/version-tools.ts';
import { workerConfig } from '../support/worker-config.ts';

const [OLD, NEW] = [FORMAT_VERSION, FORMAT_VERSION + 1];
const STORES = 30;
/** What a collector finds where everything is kept. */
const NOTHING = { releases: [], generations: [], objects: [] };
const DAY = 24 * 3600_000;

interface Bindings {
  readonly SNAPSHOTS: KVNamespace;
  readonly TOKENS: KVNamespace;
  readonly SNAPSHOT_BUCKET: R2Bucket;
}

let folder: string;
let server: TestHarness;
let bindings: Bindings;
let token: string;
let tools: ReadonlyMap<number, Tools>;

beforeAll(async () => {
  Object.assign(process.env, OFFLINE_VARIABLES);
  folder = await mkdtemp(join(tmpdir(), 'two-versions-'));
  tools = new Map([
    [OLD, toolsOfThisTree],
    [NEW, await loadTools(NEW, folder)],
  ]);
  const workers = await Promise.all([OLD, NEW].map((each) => openWorker(each)));
  server = createTestHarness({ workers });
  await server.listen();
  bindings = await server.getWorker<Bindings>(`v${OLD}`).getEnv();
  const order = { partner: 'Acme', scopes: ['stores:read:GET'], expiresAt: null, utm: null };
  const tokens = new LocalKv(bindings.TOKENS);
  ({ token } = await issueToken(tokens, 'development', order, Date.now()));
});

afterAll(async () => {
  await server?.close();
  await rm(folder, { recursive: true, force: true });
});

/** The Worker of a version, bound to the storage that both share. */
async function openWorker(version: number) {
  return { config: workerConfig(`v${version}`, await bundleWorker(version, folder), 1_000_000) };
}

/** The tools of one version on the storage that both share. */
function toolsOf(version: number) {
  const all = tools.get(version) as Tools;
  const ledger = new all.LocalR2(bindings.SNAPSHOT_BUCKET);
  const target = {
    site: { environment: 'development', place: 'kv of a test' },
    readersWait: 0,
    clock: SYSTEM_CLOCK,
    objects: new all.LocalKv(bindings.SNAPSHOTS),
    ledger,
  };
  const { signal } = new AbortController();
  const signature = { by: 'job', note: null };
  const watch = { progress: all.SILENT_PROGRESS, signal };
  const kept = async () => all.readKeptReleases(target, await all.readHead(ledger));
  return {
    /** Publishes stores that name their generation; returns the name of the release. */
    async publish(generation: string): Promise<string> {
      const stores = Array.from({ length: STORES }, (_, index) => {
        const store = buildStore(index + 1);
        return { ...store, profile: { ...store.profile, name: `Shop ${generation}` } };
      });
      const sink = new all.MemorySink();
      const manifest = await all.compileRelease(stores, { spool: new all.MemorySpool(), sink });
      const readObject = async (hash: string) => sink.objects.get(hash) ?? null;
      const options = { ...watch, signature };
      const published = await all.publishRelease({ manifest, readObject }, target, options);
      return `${published.number}-${published.release}`;
    },
    list: async () => (await kept()).kept.map(({ manifest }) => manifest.release),
    prune: async () => {
      const found = await all.findCollectable(target, await all.readHead(ledger));
      await all.deleteCollectable(target, found, watch);
      return found;
    },
    rollBack: async () => {
      const { entry } = await all.rollBack(target, { release: null, signature });
      return `${entry.number}-${entry.manifest.release}`;
    },
    resume: async () => {
      const entry = await all.resumePublishing(target, { signature });
      return entry ? `${entry.number}-${entry.manifest.release}` : '';
    },
    /** Removes the other version as if eight days had passed. */
    remove: (other: number) => {
      const later = Object.assign(new all.LocalR2(bindings.SNAPSHOT_BUCKET), {
        now: async () => Date.now() + 8 * DAY,
      });
      return all.pruneVersion({ ...target, ledger: later }, { ...watch, version: other });
    },
  };
}

/** The values of a version as they lie in KV. */
async function stored(version: number): Promise<Map<string, string | null>> {
  const { keys, list_complete } = await bindings.SNAPSHOTS.list({
    prefix: snapshotPrefix(version),
  });
  expect(list_complete).toBe(true);
  const values = keys.map(async ({ name }) => [name, await bindings.SNAPSHOTS.get(name)] as const);
  return new Map(await Promise.all(values));
}

interface Answer {
  readonly version: number;
  readonly path: string;
  readonly status: number;
  readonly release: string;
  readonly body: string;
}

/** Asks whichever Worker is deployed again and again, and keeps the answers. */
class Partner {
  /** The version of the Worker that is deployed. */
  deployed = OLD;
  readonly answers: Answer[] = [];
  /** Names of generations by the name of the release. */
  private readonly generations = new Map<string, string>();
  private isStopped = false;

  knows(release: string, generation: string): void {
    this.generations.set(release, generation);
  }

  async run(): Promise<void> {
    for (let turn = 1; !this.isStopped; turn++) {
      await this.ask(turn % 2 === 0 ? 'stores?limit=100' : `stores/store-${turn % STORES || 1}`);
      // The tools are to have their share of the processor.
      await sleep(20);
    }
  }

  stop(): void {
    this.isStopped = true;
  }

  /** Waits until the deployed Worker answers from a release. */
  async sees(release: string): Promise<void> {
    const version = this.deployed;
    const isSeen = () => {
      const latest = this.answers.at(-1);
      return latest?.version === version && latest.release === release;
    };
    while (!this.isStopped && !isSeen()) await sleep(20);
  }

  private async ask(path: string): Promise<void> {
    const version = this.deployed;
    const response = await server
      .getWorker(`v${version}`)
      .fetch(`http://stores.test/v2/external/${path}`, { headers: { 'x-access-token': token } });
    const release = response.headers.get('x-snapshot-release') ?? '';
    const body = await response.text();
    this.answers.push({ version, path, status: response.status, release, body });
  }

  /** The answers that failed, or whose stores are not of the release that they name. */
  failures(): string[] {
    // Looked at when all is over: a release answers before its publisher learns its name.
    const isRight = ({ status, release, body }: Answer) => {
      const expected = `"name":"Shop ${this.generations.get(release)}"`;
      const rest = body.replaceAll(expected, '');
      return status === 200 && rest.length < body.length && !rest.includes('"Shop ');
    };
    return this.answers
      .filter((answer) => !isRight(answer))
      .map(
        ({ version, path, status, release, body }) =>
          `v${version} ${path}: ${status} ${release} ${body.slice(0, 300)}`,
      );
  }
}

/** The content in the name of a release. */
const idOf = (name: string) => name.split('-')[1];

describe('an upgrade', () => {
  it('and the way back cost no answer, and neither version touches the other', async () => {
    const [old, next] = [toolsOf(OLD), toolsOf(NEW)];
    const partner = new Partner();
    /** Publishes with the tools of a version. */
    const publish = async (version: number, generation: string) => {
      const release = await toolsOf(version).publish(generation);
      partner.knows(release, generation);
      return release;
    };
    /** Does `work` with the tools of one version, and looks that the other's values stay. */
    const apart = async <T>(version: number, work: () => Promise<T>): Promise<T> => {
      const other = version === OLD ? NEW : OLD;
      const before = await stored(other);
      const result = await work();
      expect(await stored(other)).toEqual(before);
      return result;
    };

    const a = await publish(OLD, 'a');
    const asking = partner.run();
    /** Ends with an error, too, that ends the asking. */
    const seen = (release: string) => Promise.race([partner.sees(release), asking]);
    try {
      await seen(a);
      // Publish with the new version, then deploy.
      const A = await apart(NEW, () => publish(NEW, 'A'));
      expect(A).not.toBe(a);
      partner.deployed = NEW;
      await seen(A);
      // The job publishes with both.
      const b = await apart(OLD, () => publish(OLD, 'b'));
      const B = await apart(NEW, () => publish(NEW, 'B'));
      await seen(B);
      await apart(NEW, () => publish(NEW, 'C'));
      const back = await apart(NEW, () => next.rollBack());
      expect(idOf(back)).toBe(idOf(B));
      partner.knows(back, 'B');
      await seen(back);
      expect(await apart(NEW, () => next.prune())).toMatchObject(NOTHING);
      // Back to the old Worker, whose stores are fresh.
      partner.deployed = OLD;
      await seen(b);
      const c = await apart(OLD, () => publish(OLD, 'c'));
      await seen(c);
      const all = [c, b, a].map(idOf);
      expect(await apart(OLD, () => old.prune())).toMatchObject(NOTHING);
      expect(await old.list()).toEqual(all);
      expect((await next.list())[0]).toBe(idOf(B));
      // Forward again, for good.
      partner.deployed = NEW;
      await seen(back);
      const before = await stored(NEW);
      expect(await next.remove(OLD)).toMatchObject({ isPublished: true, releases: 3 });
      expect(await stored(OLD)).toEqual(new Map());
      expect(await stored(NEW)).toEqual(before);
      const resumed = await next.resume();
      partner.knows(resumed, 'B');
      const D = await publish(NEW, 'D');
      await seen(D);
    } finally {
      partner.stop();
      await asking;
    }
    expect(partner.failures()).toEqual([]);
    expect(new Set(partner.answers.map(({ version }) => version))).toEqual(new Set([OLD, NEW]));
  });
});
