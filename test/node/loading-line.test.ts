/** How many bytes are on their way at once, and that a read which never ends stops nobody else. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { LONGEST_TURN, LoadingLine, type Turn } from '../../src/load/loading-line.ts';

let line: LoadingLine;
/** Turns in the order in which they came, by the names of who entered. */
let turns: Map<string, Turn>;

beforeEach(() => {
  vi.useFakeTimers({
    toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'],
  });
  line = new LoadingLine(100);
  turns = new Map();
});

afterEach(() => vi.useRealTimers());

async function enter(name: string, bytes: number): Promise<void> {
  line.enter(bytes).then((turn) => turns.set(name, turn));
  await vi.advanceTimersByTimeAsync(0);
}

async function leave(name: string): Promise<void> {
  line.leave(turns.get(name) as Turn);
  await vi.advanceTimersByTimeAsync(0);
}

const gone = () => [...turns.keys()];

describe('the line of loads', () => {
  it('lets reads go while they stay within the bytes, first come first served', async () => {
    await enter('a', 60);
    await enter('b', 40);
    await enter('c', 30);
    await enter('d', 10);
    expect(gone()).toEqual(['a', 'b']);
    await leave('b');
    expect(gone()).toEqual(['a', 'b', 'c', 'd']);
  });

  it('lets nobody pass who is smaller', async () => {
    await enter('a', 60);
    await enter('b', 60);
    await enter('c', 1);
    expect(gone()).toEqual(['a']);
    await leave('a');
    expect(gone()).toEqual(['a', 'b', 'c']);
  });

  it('lets what is too large for any turn go alone', async () => {
    await enter('a', 1);
    await enter('large', 500);
    await enter('c', 1);
    expect(gone()).toEqual(['a']);
    await leave('a');
    expect(gone()).toEqual(['a', 'large']);
    await leave('large');
    expect(gone()).toEqual(['a', 'large', 'c']);
  });

  it('takes a turn back from a read that never ends', async () => {
    await enter('hanging', 100);
    await vi.advanceTimersByTimeAsync(500);
    await enter('b', 50);
    await vi.advanceTimersByTimeAsync(LONGEST_TURN - 501);
    expect(gone()).toEqual(['hanging']);
    await enter('c', 50);
    await vi.advanceTimersByTimeAsync(1);
    await enter('d', 50);
    expect(gone()).toEqual(['hanging', 'b', 'c']);
    // It counts no more when it ends after all.
    await leave('hanging');
    expect(gone()).toEqual(['hanging', 'b', 'c']);
    await leave('b');
    expect(gone()).toEqual(['hanging', 'b', 'c', 'd']);
  });

  it('needs nobody else to come for that', async () => {
    await enter('hanging', 100);
    await enter('b', 50);
    await vi.advanceTimersByTimeAsync(LONGEST_TURN);
    expect(gone()).toEqual(['hanging', 'b']);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('needs nobody else to come where one read after another never ends', async () => {
    await enter('hanging', 100);
    await vi.advanceTimersByTimeAsync(500);
    await enter('hanging too', 100);
    await vi.advanceTimersByTimeAsync(100);
    await enter('c', 100);
    await vi.advanceTimersByTimeAsync(LONGEST_TURN - 100);
    expect(gone()).toEqual(['hanging', 'hanging too']);
    await vi.advanceTimersByTimeAsync(LONGEST_TURN - 1);
    expect(gone()).toEqual(['hanging', 'hanging too']);
    await vi.advanceTimersByTimeAsync(LONGEST_TURN);
    expect(gone()).toEqual(['hanging', 'hanging too', 'c']);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('does not wait for the timer of a request that has ended', async () => {
    await enter('hanging', 100);
    await enter('b', 50);
    // The request of b has ended, and its timers with it.
    vi.clearAllTimers();
    vi.setSystemTime(Date.now() + LONGEST_TURN);
    await enter('c', 50);
    expect(gone().toSorted()).toEqual(['b', 'c', 'hanging']);
  });
});
