/** The KV routes of the stand-in, with KV's limits. */
import {
  ok,
  pageOf,
  raw,
  refuse,
  type StandInAnswer,
  type StandInRequest,
} from './stand-in-answer.ts';

const VALUE_BYTES = 25 * 1024 * 1024;
const BULK_KEYS = 10_000;
const BULK_BYTES = 100_000_000;
const READ_KEYS = 100;
const READ_BYTES = 25_000_000;

interface Pair {
  readonly key: string;
  readonly value: string;
  readonly base64?: boolean;
  readonly metadata?: unknown;
}

interface Value {
  readonly bytes: Buffer;
  readonly metadata?: unknown;
}

export class KvStandIn {
  /** Whether the bulk operations fail to store a key; called once for each. */
  losesKey: (key: string) => boolean = () => false;
  /** Pairs written, one for each value. */
  writtenPairs = 0;
  readonly stored = new Map<string, Value>();

  get values(): ReadonlyMap<string, Buffer> {
    return new Map([...this.stored].map(([key, { bytes }]) => [key, bytes]));
  }

  set(key: string, value: string): void {
    this.stored.set(key, { bytes: Buffer.from(value) });
  }

  reset(): void {
    this.stored.clear();
    this.writtenPairs = 0;
    this.losesKey = () => false;
  }

  /** Answers a request whose path begins below the namespace, such as `/values/a`. */
  answer(request: StandInRequest): StandInAnswer {
    const [, route = '', key = ''] =
      /^\/(keys|bulk\/delete|bulk\/get|bulk|values)(?:\/([^/]+))?$/.exec(request.path) ?? [];
    switch (`${request.method} ${route}`) {
      case 'GET keys':
        return this.list(request.query);
      case 'GET values':
        return this.read(decodeURIComponent(key));
      case 'PUT values':
        return this.write(decodeURIComponent(key), request.body);
      case 'DELETE values':
        this.stored.delete(decodeURIComponent(key));
        return ok({});
      case 'PUT bulk':
        return this.writeBulk(request.body);
      case 'POST bulk/get':
        return this.readBulk(request.body);
      case 'POST bulk/delete':
        return this.deleteBulk(request.body);
      default:
        return refuse(405, 7001, 'Method not allowed');
    }
  }

  private list(query: URLSearchParams): StandInAnswer {
    const names = [...this.stored.keys()]
      .filter((name) => name.startsWith(query.get('prefix') ?? ''))
      .sort();
    const { page, cursor } = pageOf(names, query.get('cursor'));
    return ok(
      page.map((name) => ({ name, metadata: this.stored.get(name)?.metadata })),
      { count: page.length, cursor },
    );
  }

  private read(key: string): StandInAnswer {
    const value = this.stored.get(key);
    return value ? raw(value.bytes) : refuse(404, 10_009, "get: 'key not found'");
  }

  private readBulk(body: Buffer): StandInAnswer {
    const { keys } = parsed<{ keys: string[] }>(body);
    if (keys.length > READ_KEYS) return refuse(400, 10_032, 'too many keys');
    const values = keys.map(
      (key) => [key, this.stored.get(key)?.bytes.toString() ?? null] as const,
    );
    const bytes = values.reduce((sum, [, text]) => sum + (text?.length ?? 0), 0);
    if (bytes > READ_BYTES) return refuse(413, 10_033, 'answer is too large');
    return ok({ values: Object.fromEntries(values) });
  }

  private write(key: string, bytes: Buffer, metadata?: unknown): StandInAnswer {
    if (bytes.length > VALUE_BYTES) return refuse(413, 10_031, 'value is too large');
    this.stored.set(key, { bytes, metadata });
    this.writtenPairs++;
    return ok({});
  }

  private writeBulk(body: Buffer): StandInAnswer {
    if (body.length > BULK_BYTES) return refuse(413, 10_033, 'request is too large');
    const pairs = parsed<Pair[]>(body);
    if (pairs.length > BULK_KEYS) return refuse(400, 10_032, 'too many pairs');
    const lost = pairs.filter(({ key }) => this.losesKey(key));
    for (const pair of pairs) {
      if (lost.includes(pair)) continue;
      const value = Buffer.from(pair.value, pair.base64 ? 'base64' : 'utf8');
      const answer = this.write(pair.key, value, pair.metadata);
      if (answer.status !== 200) return answer;
    }
    return bulkResult(
      pairs.length,
      lost.map(({ key }) => key),
    );
  }

  private deleteBulk(body: Buffer): StandInAnswer {
    const keys = parsed<string[]>(body);
    if (keys.length > BULK_KEYS) return refuse(400, 10_032, 'too many keys');
    const lost = keys.filter((key) => this.losesKey(key));
    for (const key of keys) if (!lost.includes(key)) this.stored.delete(key);
    return bulkResult(keys.length, lost);
  }
}

const parsed = <T>(body: Buffer): T => JSON.parse(body.toString());

function bulkResult(count: number, lost: readonly string[]): StandInAnswer {
  return ok({ successful_key_count: count - lost.length, unsuccessful_keys: lost });
}
