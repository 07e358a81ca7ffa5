/** The example job before the stand-in: its commands, in simulated time, and what they ask for. */

import type { CompiledRelease } from '../../../scripts/build/compiled-release.ts';
import { SILENT_PROGRESS } from '../../../scripts/cli/progress.ts';
import { concludePublication } from '../../../scripts/commands/publish-outcome.ts';
import {
  type GuardedPublication,
  publishGuarded,
} from '../../../scripts/guards/guarded-publication.ts';
import { API_LIMITS } from '../../../scripts/storage/pace.ts';
import { POINTER_KEY } from '../../../src/snapshot/keys.ts';
import type { PublishedManifest } from '../../../src/snapshot/manifest.ts';
import { decodePointer } from '../stores/memory-snapshot.ts';
import { RequestLimit } from './request-limit.ts';
import { openTarget, TestClock } from './stage.ts';
import type { CloudflareStandIn } from './stand-in.ts';
import type { StandInRequest } from './stand-in-answer.ts';

const HOUR = 3600_000;
const { signal } = new AbortController();
const CONTEXT = { json: true, progress: SILENT_PROGRESS, signal, remark: () => {} };

/** What a command came to. */
export interface Expense<T> {
  readonly result: T;
  /** Requests that count among the 1,200 in five minutes, and those in S3's way; by kind. */
  readonly api: Readonly<Record<string, number>>;
  readonly s3: Readonly<Record<string, number>>;
  readonly requests: number;
  /** Pairs written to KV, and the bytes of their values as they lie there. */
  readonly written: { readonly pairs: number; readonly bytes: number };
  /** Seconds that it waited for the limit's sake: nothing else takes time here. */
  readonly waited: number;
}

export class HourlyJob {
  readonly clock = new TestClock();
  private readonly standIn: CloudflareStandIn;
  private readonly store: 'kv' | 'r2';

  constructor(standIn: CloudflareStandIn, store: 'kv' | 'r2') {
    this.standIn = standIn;
    this.store = store;
    const now = () => this.clock.now();
    standIn.now = now;
    standIn.bucket.now = now;
    standIn.limit = new RequestLimit(now);
    standIn.keepsBodies = false;
  }

  /** An hour goes by. */
  wait(): void {
    this.clock.pass(HOUR);
  }

  /** It is so many milliseconds past midnight, UTC. */
  waitUntil(time: number): void {
    const day = 24 * HOUR;
    this.clock.pass((day + time - (this.clock.now() % day)) % day);
  }

  /** What is live, as Workers read it. */
  head(): PublishedManifest {
    const pointer = decodePointer(this.standIn.snapshots.values.get(POINTER_KEY));
    if (!pointer) throw new Error('nothing is live');
    return pointer.manifest;
  }

  /** `snapshot publish --remote`, with its guards on. */
  publish(compiled: CompiledRelease): Promise<Expense<GuardedPublication>> {
    const order = {
      signature: { by: 'hourly job', note: null },
      allow: new Map(),
      ...{ force: false, dryRun: false, afresh: false, beginLog: false },
      replacesAll: async () => false,
      onCost: () => {},
    };
    const target = this.open();
    return this.measure(async () => {
      const place = { env: 'staging', remote: true } as const;
      const { result } = await concludePublication(place, CONTEXT, (begin) =>
        begin(target, compiled.manifest.release, () =>
          publishGuarded(compiled, target, order, CONTEXT),
        ),
      );
      return result;
    });
  }

  /** As each command opens it: nothing is known of the run before. */
  open() {
    return openTarget(this.standIn, this.store, { clock: this.clock, limits: API_LIMITS });
  }

  private async measure<T>(work: () => Promise<T>): Promise<Expense<T>> {
    const { standIn, clock } = this;
    standIn.requests.length = 0;
    const { pairs, bytes } = standIn.snapshots.written;
    const start = clock.now();
    const result = await work();
    const { written } = standIn.snapshots;
    const { apiRequests } = standIn;
    const limited = new Set(apiRequests);
    return {
      result,
      api: countKinds(apiRequests),
      s3: countKinds(standIn.requests.filter((request) => !limited.has(request))),
      requests: apiRequests.length,
      written: { pairs: written.pairs - pairs, bytes: written.bytes - bytes },
      waited: (clock.now() - start) / 1000,
    };
  }
}

function countKinds(requests: readonly StandInRequest[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const request of requests) counts[kindOf(request)] = (counts[kindOf(request)] ?? 0) + 1;
  return counts;
}

function kindOf({ method, path, query }: StandInRequest): string {
  if (path.endsWith('/bulk/get')) return 'bulk read';
  if (path.endsWith('/bulk/delete')) return 'bulk delete';
  if (path.endsWith('/bulk')) return 'bulk write';
  if (path.endsWith('/tokens/verify')) return 'id of the token';
  if (path.endsWith('/keys') || query.has('list-type')) return 'list';
  return method;
}
