/** Workers in the stand-in of Cloudflare's API: what wrangler asks to upload one, and to go back. */
import { createHash, randomUUID } from 'node:crypto';
import { ok, refuse, type StandInAnswer, type StandInRequest } from './stand-in-answer.ts';

/** What an upload brings beside the code, as far as tests look at it. */
interface WorkerMetadata {
  readonly main_module: string;
  readonly compatibility_date: string;
  readonly bindings: readonly { readonly name: string; readonly type: string }[];
  readonly assets?: { readonly jwt: string; readonly config?: object };
}

interface WorkerVersion {
  readonly id: string;
  readonly number: number;
  readonly metadata: WorkerMetadata;
  /** Of the main module. */
  readonly sha256: string;
}

interface Deployment {
  readonly id: string;
  readonly versions: readonly { readonly version_id: string; readonly percentage: number }[];
  readonly message: string | null;
}

/** What the API says of a Worker, wherever it is asked. */
const DESCRIPTION = {
  default_environment: { environment: 'production', script: { last_deployed_from: 'wrangler' } },
  subdomain: { enabled: true, previews_enabled: true },
};

const CREATED = '2026-01-01T00:00:00.000Z';

export class WorkerStandIn {
  /** In the order of their uploads. */
  readonly versions: WorkerVersion[] = [];
  /** The latest first, as the API lists them. */
  readonly deployments: Deployment[] = [];
  /** Paths of the static assets that the last upload has. */
  assets: readonly string[] = [];
  /** Custom domains that lead to it. */
  domains: readonly string[] = [];
  /** Whether it and its versions have addresses on workers.dev: Cloudflare gives them by itself. */
  subdomain = { enabled: true, previews_enabled: true };

  /** @param path below the Worker, empty for the Worker itself */
  async answer(
    { method, body }: StandInRequest,
    path: string,
    type: string,
  ): Promise<StandInAnswer> {
    const route = `${method} ${path}`;
    // The first upload puts the Worker live; later ones make a version, which is deployed on its own.
    if (route === 'PUT ') return this.upload(body, type, (version) => this.deployAlone(version));
    if (route === 'POST /versions') return this.upload(body, type, () => {});
    if (this.deployments.length === 0 && route !== 'POST /assets-upload-session') {
      return refuse(404, 10_007, 'This Worker does not exist on your account.');
    }
    if (route === 'POST /assets-upload-session') return this.beginAssets(body);
    if (route === 'GET ') return ok(DESCRIPTION);
    if (route === 'PATCH /script-settings') return ok(JSON.parse(body.toString()));
    if (route === 'GET /settings') return ok({ bindings: this.live?.metadata.bindings ?? [] });
    if (route === 'POST /subdomain') this.subdomain = JSON.parse(body.toString());
    if (path === '/subdomain') return ok(this.subdomain);
    if (route.startsWith('POST /domains/changeset')) {
      return ok({ added: [], removed: [], updated: [], conflicting: [] });
    }
    if (route === 'PUT /domains/records') return this.attachDomains(body);
    if (route === 'GET /deployments') return ok({ deployments: this.deployments.map(shown) });
    if (route === 'POST /deployments') return this.deploy(JSON.parse(body.toString()));
    if (route === 'GET /secrets') return ok([]);
    const [, id] = /^GET \/versions\/([^/?]+)$/.exec(route) ?? [];
    const version = this.versions.find((each) => each.id === id);
    if (version) return ok(described(version));
    return refuse(404, 7003, `Could not route to ${route}`);
  }

  /** The version that all requests get. */
  get live(): WorkerVersion | undefined {
    const [{ version_id: id } = { version_id: '' }] = this.deployments[0]?.versions ?? [];
    return this.versions.find((version) => version.id === id);
  }

  /** Makes a version, which is not live yet. */
  add(metadata: WorkerMetadata, code: Buffer): WorkerVersion {
    const sha256 = createHash('sha256').update(code).digest('hex');
    const version = { id: randomUUID(), number: this.versions.length + 1, metadata, sha256 };
    this.versions.push(version);
    return version;
  }

  /** Has all requests go to `version`. */
  deployAlone({ id }: WorkerVersion): void {
    this.deploy({ versions: [{ version_id: id, percentage: 100 }] });
  }

  private attachDomains(body: Buffer): StandInAnswer {
    const { origins } = JSON.parse(body.toString()) as { origins: { hostname: string }[] };
    this.domains = origins.map(({ hostname }) => hostname);
    return ok([]);
  }

  private beginAssets(body: Buffer): StandInAnswer {
    const { manifest } = JSON.parse(body.toString()) as { manifest: object };
    this.assets = Object.keys(manifest);
    // All are there already: nothing has to be uploaded.
    return ok({ jwt: 'completed', buckets: [] });
  }

  private async upload(
    body: Buffer,
    type: string,
    then: (version: WorkerVersion) => void,
  ): Promise<StandInAnswer> {
    const headers = { 'content-type': type };
    const parts = await new Response(new Uint8Array(body), { headers }).formData();
    const metadata = JSON.parse(String(parts.get('metadata'))) as WorkerMetadata;
    const code = parts.get(metadata.main_module);
    if (!(code instanceof Blob)) {
      return refuse(400, 10_021, `No such module "${metadata.main_module}".`);
    }
    const version = this.add(metadata, Buffer.from(await code.arrayBuffer()));
    then(version);
    return ok({ ...described(version), deployment_id: version.id, startup_time_ms: 5 });
  }

  private deploy(wanted: {
    versions: Deployment['versions'];
    annotations?: Readonly<Record<string, string>>;
  }): StandInAnswer {
    const { versions, annotations } = wanted;
    const message = annotations?.['workers/message'] ?? null;
    const deployment = { id: randomUUID(), versions, message };
    this.deployments.unshift(deployment);
    return ok(shown(deployment));
  }
}

function shown({ id, versions, message }: Deployment) {
  const annotations = message === null ? {} : { 'workers/message': message };
  const source = { source: 'wrangler', author_email: 'operator@stores.test', created_on: CREATED };
  return { id, strategy: 'percentage', versions, annotations, ...source };
}

function described({ id, number, metadata }: WorkerVersion) {
  const { bindings } = metadata;
  return {
    id,
    number,
    metadata: { created_on: CREATED, source: 'wrangler', author_email: 'operator@stores.test' },
    annotations: {},
    resources: { bindings, script: { handlers: ['fetch'] }, script_runtime: {} },
  };
}
