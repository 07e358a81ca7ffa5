/**
 * How long a token works that should not: a revocation is seen within two minutes while KV answers,
 * and a record in memory serves for ten minutes while it does not. Time is simulated.
 */
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { hashToken, tokenKey } from '../../../src/auth/token.ts';
import { sealJson } from '../../../src/sealed-json.ts';
import { TOKEN_RECORD } from '../../support/worker/harness.ts';
import { type Scene, setScene } from './fault-scene.ts';
import type { Fault } from './fault-table.ts';
import { FaultyIsolate } from './faulty-isolate.ts';

const NOW = Date.parse('2026-11-20T12:00:00Z');
const SECOND = 1_000;

let scene: Scene;

beforeAll(async () => {
  scene = await setScene(NOW);
});

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], now: NOW });
});

/** KV as an isolate sees it: the edge answers for as long as it was told to from what it read last. */
class EdgeTokens {
  record = sealJson(TOKEN_RECORD);
  private readonly latency: number;
  private readonly key: string;
  private copy: { text: string; readAt: number } | null = null;

  /** @param latency milliseconds that each read takes */
  constructor(key: string, latency: number) {
    this.key = key;
    this.latency = latency;
  }

  /** Another caller at this place asks, so that the edge has a copy. */
  fill(): void {
    this.copy = { text: this.record, readAt: Date.now() };
  }

  async get(keys: string[], { cacheTtl }: { cacheTtl: number }) {
    await new Promise((resolve) => setTimeout(resolve, this.latency));
    if (!this.copy || Date.now() - this.copy.readAt >= cacheTtl * SECOND) this.fill();
    return new Map(keys.map((key) => [key, key === this.key ? (this.copy?.text ?? null) : null]));
  }
}

/**
 * Seconds after the revocation at which its holder was last served, by an isolate that is asked so
 * often and has read the record that long before.
 */
async function lastServed(interval: number, before: number, latency: number): Promise<number> {
  const edge = new EdgeTokens(tokenKey(await hashToken(scene.token)), latency);
  const isolate = new FaultyIsolate(scene, 'kv', { TOKENS: edge as unknown as KVNamespace });
  await isolate.ask('list');
  await isolate.pass(before);
  edge.fill();
  edge.record = sealJson({ ...TOKEN_RECORD, revokedAt: new Date().toISOString() });
  const revokedAt = Date.now();
  let last = 0;
  for (;;) {
    const { answer } = await isolate.ask('list');
    const seconds = (Date.now() - revokedAt) / SECOND;
    if (answer === 'live') last = seconds;
    else expect(answer).toBe('token_revoked');
    if (seconds > 240) break;
    await isolate.pass(interval);
  }
  await isolate.close();
  return last;
}

describe('a revoked token', () => {
  it.each([0, 3_000])('is refused within two minutes where a read takes %i ms', async (latency) => {
    const times: number[] = [];
    for (const interval of [5, 31]) {
      for (const before of [1, 38, 58]) {
        times.push(await lastServed(interval, before, latency));
      }
    }
    expect(Math.max(...times)).toBeLessThan(120);
    // The record serves its time, or nothing was simulated.
    expect(Math.max(...times)).toBeGreaterThan(70);
  });
});

describe('a record in memory', () => {
  it.each<Fault>(['fails', 'hangs'])('serves for ten minutes, no more: KV %s', async (fault) => {
    const isolate = new FaultyIsolate(scene, 'kv');
    const readAt = Date.now();
    await isolate.ask('list');
    isolate.begin('record', fault);
    let last = 0;
    for (let turn = 0; turn < 35; turn++) {
      await isolate.pass(20);
      const { answer } = await isolate.ask('list');
      const seconds = (Date.now() - readAt) / SECOND;
      if (answer === 'live') last = seconds;
      else expect(answer).toBe('storage_unreachable');
    }
    expect(last).toBeLessThanOrEqual(601);
    expect(last).toBeGreaterThan(570);
    await isolate.close();
  });
});
