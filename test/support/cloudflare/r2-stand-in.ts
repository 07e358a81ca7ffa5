/** The stand-in's bucket, in S3's words. */
import type { IncomingHttpHeaders } from 'node:http';
import { refuseXml } from './s3-check.ts';
import { pageOf, raw, type StandInAnswer, type StandInRequest } from './stand-in-answer.ts';

export class R2StandIn {
  readonly objects = new Map<string, Buffer>();
  private readonly times = new Map<string, number>();
  /** Milliseconds since 1970. */
  now: () => number = Date.now;

  /** Returns what resets it to what is stored now. */
  remember(): () => void {
    const objects = [...this.objects];
    const times = new Map(this.times);
    return () => {
      this.reset();
      for (const [key, bytes] of objects) this.set(key, bytes, times.get(key) ?? 0);
    };
  }

  reset(): void {
    this.objects.clear();
    this.times.clear();
    this.now = Date.now;
  }

  /** Puts an object as of `time`, milliseconds since 1970. */
  set(key: string, bytes: Buffer, time: number): void {
    this.objects.set(key, bytes);
    this.times.set(key, time);
  }

  /** An answer with the time by this clock. */
  dated(answer: StandInAnswer): StandInAnswer {
    return { ...answer, headers: { ...answer.headers, date: new Date(this.now()).toUTCString() } };
  }

  /** @param encoded the key as it stands in the path; none for the bucket itself */
  answer(
    { method, query, body }: StandInRequest,
    encoded: string | undefined,
    headers: IncomingHttpHeaders,
  ): StandInAnswer {
    if (encoded === undefined) return this.list(query);
    const key = decodeURIComponent(encoded);
    const bytes = this.objects.get(key);
    switch (method) {
      case 'GET':
        return bytes ? raw(bytes) : refuseXml(404, 'NoSuchKey');
      case 'PUT':
        if (bytes && headers['if-none-match'] === '*') return refuseXml(412, 'PreconditionFailed');
        this.set(key, body, this.now());
        return raw(Buffer.alloc(0));
      case 'DELETE':
        this.objects.delete(key);
        return { ...raw(Buffer.alloc(0)), status: 204 };
      default:
        return refuseXml(405, 'MethodNotAllowed');
    }
  }

  private list(query: URLSearchParams): StandInAnswer {
    const prefix = query.get('prefix') ?? '';
    const keys = [...this.objects.keys()].filter((key) => key.startsWith(prefix));
    const from = new URLSearchParams(query);
    from.set('cursor', query.get('continuation-token') ?? '');
    const { page, cursor } = pageOf(keys.sort(), from, 'max-keys');
    const contents = page.map((key) => {
      const time = new Date(this.times.get(key) ?? 0).toISOString();
      const size = this.objects.get(key)?.length;
      return `<Contents><Key>${key.replaceAll('&', '&amp;')}</Key><LastModified>${time}</LastModified><Size>${size}</Size></Contents>`;
    });
    const next = cursor === '' ? '' : `<NextContinuationToken>${cursor}</NextContinuationToken>`;
    return raw(Buffer.from(`<ListBucketResult>${contents.join('')}${next}</ListBucketResult>`));
  }
}
