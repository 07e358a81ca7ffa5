/** The stand-in for KV that the benchmark measures cold requests against, and what it is asked. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CASE_NAMES } from '../../bench/requests/request.ts';
import { RequestStream } from '../../bench/requests/request-log.ts';
import { Lane } from '../../bench/storage/lane.ts';
import { countOf, LANE_HEADER, type LaneSettings } from '../../bench/storage/protocol.ts';
import { Storage } from '../../bench/storage/storage.ts';
import { Random } from '../../fixtures/generator/random.ts';

const SETTINGS: LaneSettings = { latency: 40, slowShare: 0, seed: 7, singlesAtOnce: 6 };

describe('a lane', () => {
  const laneOf = (settings: Partial<LaneSettings>) => {
    const lane = new Lane();
    lane.restart({ ...SETTINGS, ...settings });
    return lane;
  };
  const draw = (lane: Lane, count: number) =>
    Array.from({ length: count }, (_, number) => lane.drawDelay('chunk', `key ${number}`));

  it('takes the latency, give or take 30 %', () => {
    const delays = draw(laneOf({}), 2_000);
    expect(Math.min(...delays)).toBeGreaterThanOrEqual(28);
    expect(Math.max(...delays)).toBeLessThanOrEqual(52);
    expect(delays.reduce((sum, delay) => sum + delay, 0) / 2_000).toBeCloseTo(40, 0);
  });

  it('takes five times as long for the share of slow keys', () => {
    const lane = laneOf({ slowShare: 1 / 50 });
    const slow = draw(lane, 5_000).filter((delay) => delay === 200).length;
    expect(slow / 5_000).toBeCloseTo(1 / 50, 2);
  });

  it('has equal delays for equal seeds and reads, in any order and at any latency', () => {
    const keys = ['a', 'b', 'c'];
    const delays = (lane: Lane, order: readonly string[]) =>
      new Map(order.map((key) => [key, lane.drawDelay('part', key)]));
    const first = delays(laneOf({}), keys);
    const second = delays(laneOf({ latency: 240 }), keys.toReversed());
    for (const key of keys) expect(second.get(key)).toBeCloseTo(6 * (first.get(key) ?? 0), 9);
    expect(delays(laneOf({ seed: 8 }), keys)).not.toEqual(first);
  });

  it('counts reads and different keys by kind, and begins anew', () => {
    const lane = laneOf({});
    for (const key of ['a', 'b', 'a']) lane.drawDelay('chunk', key);
    expect(countOf(lane.report(), 'chunk')).toMatchObject({ reads: 3, keys: 2 });
    lane.restart(SETTINGS);
    expect(countOf(lane.report(), 'chunk')).toMatchObject({ reads: 0, keys: 0 });
  });

  it('lets as many single reads at once as it may, and the others in their turn', async () => {
    const lane = laneOf({ singlesAtOnce: 2 });
    let running = 0;
    let most = 0;
    const read = async () => {
      most = Math.max(most, ++running);
      await Promise.resolve();
      running--;
    };
    await Promise.all(Array.from({ length: 9 }, () => lane.inTurn(read)));
    await expect(lane.inTurn(() => Promise.reject(new Error('lost')))).rejects.toThrow('lost');
    await lane.inTurn(read);
    expect(most).toBe(2);
  });
});

describe('the stand-in', () => {
  let folder: string;
  let storage: Storage;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'bench-storage-'));
    await writeFile(join(folder, 'note'), '"quoted"');
    storage = await Storage.start(folder, []);
  });

  afterAll(async () => {
    await storage.stop();
    await rm(folder, { recursive: true });
  });

  const ask = (path: string, init: RequestInit = {}) =>
    fetch(`http://127.0.0.1:${storage.port}${path}`, { ...init, headers: { [LANE_HEADER]: 'x' } });
  const askMany = (keys: readonly string[], type = 'text') =>
    ask('/bulk/get', { method: 'POST', body: JSON.stringify({ keys, type }) });

  it('answers single reads and bulk reads', async () => {
    expect(await (await ask('/note?urlencoded=true')).text()).toBe('"quoted"');
    expect((await ask('/nothing')).status).toBe(404);
    expect(await (await askMany(['note', 'nothing'])).json()).toEqual({
      ...{ note: '"quoted"', nothing: null },
    });
    expect(await (await askMany(['note'], 'json')).json()).toEqual({ note: 'quoted' });
  });

  it('refuses a bulk read of more than a hundred keys', async () => {
    const keys = Array.from({ length: 101 }, (_, number) => `key-${number}`);
    expect((await askMany(keys)).status).toBe(400);
    expect((await askMany(keys.slice(1))).status).toBe(200);
  });

  it('takes its time for each lane, and counts', async () => {
    await storage.restart('x', { ...SETTINGS, latency: 100 });
    const start = performance.now();
    await ask('/note');
    expect(performance.now() - start).toBeGreaterThan(60);
    await askMany(['note', 'nothing']);
    const report = await storage.report('x');
    expect(report.operations).toBe(2);
    expect(countOf(report, 'other')).toEqual({ reads: 3, keys: 2, bytes: 16 });
  });
});

describe('the requests of a case', () => {
  const random = new Random(1, 1);
  const facts = {
    ids: Array.from({ length: 200 }, () => random.hex(24)),
    slugs: Array.from({ length: 200 }, (_, number) => `store-${number}`),
    verticales: Array.from({ length: 200 }, () => random.integer(1, 0xffff)),
  };

  it('come once each, and are the same in every run', () => {
    for (const name of CASE_NAMES) {
      const take = () => new RequestStream(name, 'whole', facts).take(200);
      const texts = take().map(({ token, path }) => `${token} ${path}`);
      expect(new Set(texts).size, name).toBe(200);
      expect(take().map(({ token, path }) => `${token} ${path}`)).toEqual(texts);
    }
  });

  it('end with an error where there are no more', () => {
    const stream = new RequestStream('get', 'whole', facts);
    expect(() => stream.take(9 * 200 + 1)).toThrow('no more requests');
  });

  it('have primers that ask for the same and find nothing', () => {
    for (const name of CASE_NAMES) {
      const { path, primer } = new RequestStream(name, 'cold', facts).next();
      const same = path
        .replace(/limit=\d+/, 'limit=0')
        .replace(/stores\/[0-9a-f]{24}/, `stores/${'f'.repeat(24)}`)
        .replace(/stores\/store-\d+/, 'stores/no-such-store');
      expect(primer, name).toBe(same);
    }
  });
});
