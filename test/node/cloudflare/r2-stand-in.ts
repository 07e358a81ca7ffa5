/** The R2 routes of the stand-in. */
import {
  ok,
  pageOf,
  raw,
  refuse,
  type StandInAnswer,
  type StandInRequest,
} from './stand-in-answer.ts';

export class R2StandIn {
  readonly objects = new Map<string, Buffer>();

  /** Answers a request whose path begins below the bucket, such as `/objects/a/b`. */
  answer({ method, path, query, body }: StandInRequest): StandInAnswer {
    const [, encoded] = /^\/objects(?:\/(.+))?$/.exec(path) ?? [];
    if (encoded === undefined) return this.list(query);
    const key = decodeURIComponent(encoded);
    switch (method) {
      case 'GET': {
        const bytes = this.objects.get(key);
        return bytes ? raw(bytes) : missingKey(404);
      }
      case 'PUT':
        this.objects.set(key, body);
        return ok({ key, size: String(body.length) });
      case 'DELETE':
        // The API complains here, unlike the binding, and with another status.
        return this.objects.delete(key) ? ok({ key }) : missingKey(400);
      default:
        return refuse(405, 7001, 'Method not allowed');
    }
  }

  private list(query: URLSearchParams): StandInAnswer {
    const keys = [...this.objects.keys()].filter((key) =>
      key.startsWith(query.get('prefix') ?? ''),
    );
    const { page, cursor } = pageOf(keys.sort(), query, 'per_page');
    return ok(
      page.map((key) => ({ key, size: this.objects.get(key)?.length })),
      { cursor, is_truncated: cursor !== '', per_page: query.get('per_page') },
    );
  }
}

function missingKey(status: number): StandInAnswer {
  return refuse(status, 10_007, 'The specified key does not exist.');
}
