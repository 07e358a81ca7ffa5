/** An R2 bucket of Cloudflare's platform, reached over S3's API. It is strongly consistent. */
import { CommandError } from '../cli/command-error.ts';
import type { Guard, Ledger, LedgerKey, Price, UploadSize } from './key-value-store.ts';
import type { S3Client } from './s3-client.ts';

/** The most keys of a page. */
const PAGE_LENGTH = '1000';

/** What sixteen requests under way at once come to, about: S3's way has no limit of its own. */
const REQUESTS_PER_SECOND = 100;

const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&apos;': "'",
};

export class CloudflareR2 implements Ledger {
  readonly lateness = 0;
  private readonly client: S3Client;

  constructor(client: S3Client) {
    this.client = client;
  }

  async *list(prefix: string, after?: string): AsyncGenerator<LedgerKey> {
    const purpose = `list the objects below ${prefix}`;
    let from: Record<string, string> = after === undefined ? {} : { 'start-after': after };
    for (;;) {
      const query = { 'list-type': '2', prefix, 'max-keys': PAGE_LENGTH, ...from };
      const { bytes } = await this.client.send({ purpose, method: 'GET', key: null, query });
      const page = new TextDecoder().decode(bytes);
      yield* readPage(page);
      const token = textOf(page, 'NextContinuationToken');
      if (token === null) return;
      from = { 'continuation-token': token };
    }
  }

  async get(key: string): Promise<Uint8Array | null> {
    const answer = await this.client.send({ purpose: `read ${key}`, method: 'GET', key });
    return answer.status === 404 ? null : answer.bytes;
  }

  async put(key: string, bytes: Uint8Array): Promise<void> {
    await this.client.send({ purpose: `write ${key}`, method: 'PUT', key, body: bytes });
  }

  async create(key: string, bytes: Uint8Array, guard?: Guard): Promise<boolean> {
    const headers = { 'if-none-match': '*' };
    const purpose = `create ${key}`;
    const answer = await this.client.send({
      purpose,
      method: 'PUT',
      key,
      headers,
      body: bytes,
      guard,
      isDecision: true,
    });
    return answer.status !== 412;
  }

  async delete(key: string, guard?: Guard): Promise<void> {
    await this.client.send({ purpose: `delete ${key}`, method: 'DELETE', key, guard });
  }

  price(uploads: readonly UploadSize[], listed: number): Price {
    const requests = uploads.length + Math.ceil(listed / Number(PAGE_LENGTH)) + 20;
    return { requests, seconds: Math.ceil(requests / REQUESTS_PER_SECOND), freeWrites: null };
  }

  /** Any answer has the time; what is asked for need not be there. */
  async now(): Promise<number> {
    const purpose = 'tell the time';
    const { time } = await this.client.send({ purpose, method: 'HEAD', key: 'time' });
    if (Number.isFinite(time)) return time;
    throw new CommandError(`R2 did not ${purpose}: its answer has no date`, { code: 'api_failed' });
  }
}

function* readPage(page: string): Generator<LedgerKey> {
  for (const [, object = ''] of page.matchAll(/<Contents>(.*?)<\/Contents>/gs)) {
    const key = textOf(object, 'Key');
    if (key === null) continue;
    const storedAt = Date.parse(textOf(object, 'LastModified') ?? '');
    yield { key, bytes: Number(textOf(object, 'Size')), storedAt };
  }
}

/** The text of the first element of this name; null when there is none, or an empty one. */
function textOf(xml: string, name: string): string | null {
  const [, text] = new RegExp(`<${name}>([^<]+)</${name}>`).exec(xml) ?? [];
  return text?.replace(/&\w+;/g, (entity) => ENTITIES[entity] ?? entity) ?? null;
}
