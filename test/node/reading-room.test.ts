/** How many bytes are read at a time, whatever becomes of the requests that read them. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ReadingRoom, type RoomTaken } from '../../src/load/reading-room.ts';

let room: ReadingRoom;
const wake = vi.fn();

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] });
  wake.mockClear();
  room = new ReadingRoom(10);
});

afterEach(() => vi.useRealTimers());

const pass = (milliseconds: number) => vi.setSystemTime(Date.now() + milliseconds);

describe('the room for reads', () => {
  it('is for so many bytes at once', () => {
    const taken = [4, 6].map((bytes) => room.take(bytes, wake));
    expect(taken).not.toContain(null);
    expect(room.take(1, wake)).toBeNull();
    room.leave(taken[0] as RoomTaken);
    expect(room.take(5, wake)).toBeNull();
    expect(room.take(4, wake)).not.toBeNull();
  });

  it('says once that a read has left, to each that found none', () => {
    const one = room.take(9, wake) as RoomTaken;
    const another = room.take(1, wake) as RoomTaken;
    const others = [vi.fn(), vi.fn()];
    for (const each of others) room.take(9, each);
    room.leave(one);
    room.leave(another);
    for (const each of others) expect(each).toHaveBeenCalledOnce();
    expect(wake).not.toHaveBeenCalled();
  });

  it('is for one larger read alone', () => {
    const large = room.take(50, wake) as RoomTaken;
    expect(large).not.toBeNull();
    expect(room.take(1, wake)).toBeNull();
    room.leave(large);
    expect(room.take(1, wake)).not.toBeNull();
    expect(room.take(50, wake)).toBeNull();
  });

  it('is taken for ten seconds by a read that never settles, and no longer', () => {
    room.take(10, wake);
    pass(9_999);
    expect(room.take(10, wake)).toBeNull();
    pass(1);
    const next = room.take(10, wake);
    expect(next).not.toBeNull();
    expect(room.take(1, wake)).toBeNull();
  });

  it('is not given away twice where a read settles after its ten seconds', () => {
    const late = room.take(10, wake) as RoomTaken;
    pass(10_000);
    room.take(10, wake);
    room.leave(late);
    expect(room.take(1, wake)).toBeNull();
  });
});
