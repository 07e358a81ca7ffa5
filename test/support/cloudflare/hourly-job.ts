/** The example job before the stand-in: its commands, in simulated time, and what they ask for. */

import type { CompiledRelease } from '../../../scripts/build/compiled-release.ts';
import type { GuardedPublication } from '../../../scripts/guards/guarded-publication.ts';
import { POINTER_KEY } from '../../../src/snapshot/keys.ts';
import type { PublishedManifest } from '../../../src/snapshot/manifest.ts';
import { publishAsJob } from '../publish-as-job.ts';
import { decodePointer } from '../stores/memory-snapshot.ts';
import { openTarget, TestClock } from './stage.ts';
import type { CloudflareStandIn } from './stand-in.ts';

const HOUR = 3600_000;
/** A publication, and what it asked for. */
interface HourlyRun {
  readonly result: GuardedPublication;
  /** Requests that count among the 1,200 in five minutes. */
  readonly requests: number;
  /** Pairs written to KV. */
  readonly pairs: number;
}

export class HourlyJob {
  readonly clock = new TestClock();
  private readonly standIn: CloudflareStandIn;

  constructor(standIn: CloudflareStandIn) {
    this.standIn = standIn;
    const now = () => this.clock.now();
    standIn.now = now;
    standIn.bucket.now = now;
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
  async publish(compiled: CompiledRelease): Promise<HourlyRun> {
    const { standIn } = this;
    standIn.requests.length = 0;
    const before = standIn.snapshots.writtenPairs;
    const result = await publishAsJob(compiled, this.open());
    const pairs = standIn.snapshots.writtenPairs - before;
    return { result, requests: standIn.apiRequests.length, pairs };
  }

  /** As each command opens it: nothing is known of the run before. */
  open() {
    return openTarget(this.standIn, 'kv', { clock: this.clock });
  }
}
