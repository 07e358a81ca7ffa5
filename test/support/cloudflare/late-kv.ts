/**
 * A KV namespace of the stand-in that shows late what was written or deleted, as the real one may:
 * to each of those who read it by a delay of its own for each write.
 */
import type { Random } from '../../../fixtures/generator/random.ts';
import { KvStandIn } from './kv-stand-in.ts';
import { ok, raw, refuse, type StandInAnswer, type StandInRequest } from './stand-in-answer.ts';

/** Who reads: the API, by key and in lists, and Workers at the edge. */
const VIEWS = ['api', 'list', 'edge'] as const;

/** What is still shown in the place of what was written. */
interface Hidden {
  readonly before: Buffer | null;
  /** By `performance.now()`. */
  readonly until: number;
}

interface ListedKey {
  readonly name: string;
}

export class LateKv extends KvStandIn {
  private readonly lag: number;
  private readonly random: Random;
  private readonly hidden = new Map(VIEWS.map((view) => [view, new Map<string, Hidden>()]));

  /** @param lag milliseconds by which it is late at most */
  constructor(lag: number, random: Random) {
    super();
    this.lag = lag;
    this.random = random;
  }

  /** What Workers read under `key`. */
  atEdge(key: string): Buffer | null {
    return this.seen('edge', key, this.valueOf(key));
  }

  override answer(request: StandInRequest): StandInAnswer {
    const { method, path, body } = request;
    switch (`${method} ${path.replace(/^(\/values)\/.*/, '$1')}`) {
      case 'GET /values':
        return this.readLate(decodeURIComponent(path.slice('/values/'.length)));
      case 'POST /bulk/get':
        return this.readManyLate(super.answer(request), JSON.parse(body.toString()).keys);
      case 'GET /keys':
        return this.listLate(super.answer(request));
      case 'PUT /bulk':
        return this.writeLate(request, keysOf(JSON.parse(body.toString())));
      case 'POST /bulk/delete':
        return this.writeLate(request, JSON.parse(body.toString()));
      case 'DELETE /values':
        return this.writeLate(request, [decodeURIComponent(path.slice('/values/'.length))]);
      default:
        return super.answer(request);
    }
  }

  private writeLate(request: StandInRequest, keys: readonly string[]): StandInAnswer {
    const now = performance.now();
    for (const [view, hidden] of this.hidden) {
      for (const key of keys) {
        const before = this.seen(view, key, this.valueOf(key));
        hidden.set(key, { before, until: now + this.random.fraction() * this.lag });
      }
    }
    return super.answer(request);
  }

  private seen(view: (typeof VIEWS)[number], key: string, bytes: Buffer | null): Buffer | null {
    const hidden = this.hidden.get(view)?.get(key);
    return hidden && performance.now() < hidden.until ? hidden.before : bytes;
  }

  private readLate(key: string): StandInAnswer {
    const bytes = this.seen('api', key, this.valueOf(key));
    return bytes ? raw(bytes) : refuse(404, 10_009, "get: 'key not found'");
  }

  private readManyLate(answer: StandInAnswer, keys: readonly string[]): StandInAnswer {
    if (answer.status !== 200) return answer;
    const shown = keys.map((key) => {
      const bytes = this.seen('api', key, this.valueOf(key));
      return [key, bytes?.toString() ?? null] as const;
    });
    return ok({ values: Object.fromEntries(shown) });
  }

  /** Leaves out what came a moment ago; what has been deleted is gone from lists at once here. */
  private listLate(answer: StandInAnswer): StandInAnswer {
    if (answer.status !== 200) return answer;
    const { result, result_info: info } = JSON.parse(answer.body.toString());
    const isListed = ({ name }: ListedKey) => this.seen('list', name, Buffer.alloc(0)) !== null;
    return ok((result as ListedKey[]).filter(isListed), info);
  }
}

function keysOf(pairs: readonly { key: string }[]): string[] {
  return pairs.map(({ key }) => key);
}
