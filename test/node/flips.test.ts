/**
 * Three hundred releases, and returns to older ones, go live one after another while partners ask three
 * processes of workerd. Every store carries the mark of the release that changed it last, so each answer
 * is held to the last byte against the release that it names.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Random } from '../../fixtures/generator/random.ts';
import { Crowd } from './flips/crowd.ts';
import { Edge } from './flips/edge.ts';
import { compileReleases, type Turn, turnsOf } from './flips/history.ts';
import { turnThrough } from './flips/turn-through.ts';

const RELEASES = 300;
const REQUESTS = 20_000;
const RELEASES_EACH = 100;

/** Milliseconds: ends what hangs, however busy the machine is. */
const PATIENCE = 900_000;

describe('releases that go live under load', () => {
  let folder: string;
  let turns: readonly Turn[];
  let edge: Edge;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'flips-'));
    const objects = join(folder, 'objects');
    turns = turnsOf(await compileReleases(RELEASES, objects));
    edge = await Edge.open(folder, objects, turns[0] as Turn);
  });

  afterAll(async () => {
    await edge?.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('never mix in an answer, which names its release and has its tag', {
    timeout: PATIENCE,
  }, async () => {
    expect(new Set(turns.map(({ release }) => release)).size).toBe(RELEASES);
    const random = new Random(20_261_122, RELEASES);
    const crowd = new Crowd(edge, turns, random);
    await turnThrough({ edge, crowd, turns, random }, REQUESTS);
    const { answers, notModified, notFound, walks } = crowd.counts;
    const { failures, witnesses } = crowd;
    const seen = witnesses.map(({ releases }) => releases.size);
    console.info(
      `${turns.length - 1} flips between ${RELEASES} releases, ${answers} requests (304: ${notModified}, 404: ${notFound}), ${walks} walks, releases that each process answered from: ${seen.join(', ')}, failed answers ${failures.length}`,
    );
    expect(failures.slice(0, 10)).toEqual([]);
    expect(answers).toBeGreaterThanOrEqual(REQUESTS);
    for (const count of seen) expect(count).toBeGreaterThanOrEqual(RELEASES_EACH);
    for (const count of [notModified, notFound, walks]) expect(count).toBeGreaterThan(100);
  });
});
