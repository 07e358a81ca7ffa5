/** Workers in the stand-in of Cloudflare's API: what wrangler asks to upload one, and to go back. */
import { createHash, randomUUID } from 'node:crypto';
import { ok, refuse, type StandInAnswer, type StandInRequest } from './stand-in-answer.ts';

/** What an upload brings beside the code, as far as tests look at it. */
interface WorkerMetadata {
  readonly main_module: string;
  readonly bindings: readonly { readonly name: string }[];
  readonly assets?: { readonly config?: object };
}

interface WorkerVersion {
  readonly id: string;
  readonly number: number;
  readonly metadata: WorkerMetadata;
  /** Of the main module. */
  readonly sha256: string;
}

interface Deployment {
  readonly versions: readonly { readonly version_id: string; readonly percentage: number }[];
  readonly annotations?: Readonly<Record<string, string>>;
}

const CREATED = {
  source: 'wrangler',
  created_on: '2026-01-01T00:00:00.000Z',
  author_email: 'operator@stores.test',
};

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
    const json = () => JSON.parse(body.toString());
    const [, id] = /^\/versions\/(.+)$/.exec(path) ?? [];
    if (id !== undefined) return ok(described(this.versions.find((each) => each.id === id)));
    switch (`${method} ${path}`) {
      case 'PUT ': {
        // The first upload puts the Worker live; later ones make a version, which is deployed on its own.
        const version = await this.upload(body, type);
        this.deployAlone(version);
        return ok({ ...described(version), deployment_id: version.id });
      }
      case 'POST /versions':
        return ok({ ...described(await this.upload(body, type)), startup_time_ms: 5 });
      case 'POST /assets-upload-session':
        this.assets = Object.keys(json().manifest);
        // All are there already: nothing has to be uploaded.
        return ok({ jwt: 'completed', buckets: [] });
    }
    if (this.deployments.length === 0) {
      return refuse(404, 10_007, 'This Worker does not exist on your account.');
    }
    switch (`${method} ${path}`) {
      case 'GET ':
        return ok({ default_environment: { script: CREATED }, subdomain: this.subdomain });
      case 'GET /settings':
        return ok({ bindings: [] });
      case 'GET /secrets':
        return ok([]);
      case 'GET /deployments':
        return ok({ deployments: this.deployments });
      case 'POST /deployments':
        this.deploy(json());
        return ok({});
      case 'POST /subdomain':
        this.subdomain = json();
        return ok(this.subdomain);
      case 'POST /domains/changeset':
        return ok({ added: [], removed: [], updated: [], conflicting: [] });
      case 'PUT /domains/records':
        this.domains = json().origins.map(({ hostname }: { hostname: string }) => hostname);
        return ok([]);
      default:
        return ok({});
    }
  }

  /** The version that all requests get. */
  get live(): WorkerVersion | undefined {
    return this.versions.find(({ id }) => id === this.deployments[0]?.versions[0]?.version_id);
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

  private deploy(wanted: Deployment): void {
    this.deployments.unshift({ ...wanted, ...CREATED });
  }

  private async upload(body: Buffer, type: string): Promise<WorkerVersion> {
    const headers = { 'content-type': type };
    const parts = await new Response(new Uint8Array(body), { headers }).formData();
    const metadata = JSON.parse(String(parts.get('metadata'))) as WorkerMetadata;
    const code = parts.get(metadata.main_module) as File;
    return this.add(metadata, Buffer.from(await code.arrayBuffer()));
  }
}

function described(version: WorkerVersion | undefined) {
  const { id, number, metadata } = version ?? {};
  const { bindings } = metadata ?? {};
  return { id, number, metadata: CREATED, resources: { bindings, script: {}, script_runtime: {} } };
}
