/** The stand-in's bucket, in S3's words. */
import type { IncomingHttpHeaders } from 'node:http';
import { refuseXml } from './s3-check.ts';
import {
  PAGE_LENGTH,
  pageOf,
  raw,
  type StandInAnswer,
  type StandInRequest,
} from './stand-in-answer.ts';

interface StoredObject {
  readonly bytes: Buffer;
  /** When it was put, in milliseconds since 1970. */
  readonly storedAt: number;
}

export class R2StandIn {
  /** What is stored, by key. */
  readonly stored = new Map<string, StoredObject>();
  /** Milliseconds since 1970. */
  now: () => number = Date.now;
  /** Keys that are listed at once. */
  pageLength = PAGE_LENGTH;

  get objects(): ReadonlyMap<string, Buffer> {
    return new Map([...this.stored].map(([key, { bytes }]) => [key, bytes]));
  }

  reset(): void {
    this.stored.clear();
    this.now = Date.now;
  }

  set(key: string, bytes: Buffer): void {
    this.stored.set(key, { bytes, storedAt: this.now() });
  }

  /** @param encoded the key as it stands in the path; none for the bucket itself */
  answer(
    { method, query, body }: StandInRequest,
    encoded: string | undefined,
    headers: IncomingHttpHeaders,
  ): StandInAnswer {
    if (encoded === undefined) return this.list(query);
    const key = decodeURIComponent(encoded);
    const bytes = this.stored.get(key)?.bytes;
    switch (method) {
      case 'GET':
        return bytes ? raw(bytes) : refuseXml(404, 'NoSuchKey');
      case 'PUT':
        if (bytes && headers['if-none-match'] === '*') return refuseXml(412, 'PreconditionFailed');
        this.set(key, body);
        return raw(Buffer.alloc(0));
      case 'DELETE':
        this.stored.delete(key);
        return { ...raw(Buffer.alloc(0)), status: 204 };
      default:
        return refuseXml(405, 'MethodNotAllowed');
    }
  }

  private list(query: URLSearchParams): StandInAnswer {
    const prefix = query.get('prefix') ?? '';
    const listed = [...this.stored]
      .filter(([key]) => key.startsWith(prefix))
      .sort(([a], [b]) => (a < b ? -1 : 1));
    const { page, cursor } = pageOf(listed, query.get('continuation-token'), this.pageLength);
    const contents = page.map(([key, { bytes, storedAt }]) => {
      const time = new Date(storedAt).toISOString();
      return `<Contents><Key>${key.replaceAll('&', '&amp;')}</Key><LastModified>${time}</LastModified><Size>${bytes.length}</Size></Contents>`;
    });
    const next = cursor === '' ? '' : `<NextContinuationToken>${cursor}</NextContinuationToken>`;
    return raw(Buffer.from(`<ListBucketResult>${contents.join('')}${next}</ListBucketResult>`));
  }
}
