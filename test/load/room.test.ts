/** How much is under way at a time, whatever becomes of the requests that began it. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Room, type RoomTaken } from '../../src/load/room.ts';

let room: Room;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] });
  room = new Room(10);
});

afterEach(() => vi.useRealTimers());

const pass = (milliseconds: number) => vi.setSystemTime(Date.now() + milliseconds);

/** What a request that came just now is given: it does not stay in line. */
function take(size: number): RoomTaken | null {
  const wake = () => {};
  const taken = room.take(size, wake);
  room.leaveLine(wake);
  return taken;
}

describe('the room', () => {
  it('is for one larger read alone', () => {
    const large = take(50) as RoomTaken;
    expect(large).not.toBeNull();
    expect(take(1)).toBeNull();
    room.leave(large);
    expect(take(1)).not.toBeNull();
    expect(take(50)).toBeNull();
  });

  it('is taken for ten seconds by a read that never settles, and no longer', () => {
    take(10);
    pass(9_999);
    expect(take(10)).toBeNull();
    pass(1);
    expect(take(10)).not.toBeNull();
    expect(take(1)).toBeNull();
  });

  it('is not given away twice where a read settles after its ten seconds', () => {
    const late = take(10) as RoomTaken;
    pass(10_000);
    take(10);
    room.leave(late);
    expect(take(1)).toBeNull();
  });
});

describe('the line', () => {
  it('does not wait for a request that left it, or that was ended', () => {
    const held = take(10) as RoomTaken;
    const [left, ended] = [() => {}, () => {}];
    room.take(1, left);
    room.take(1, ended);
    room.leaveLine(left);
    room.leave(held);
    expect(take(1)).toBeNull();
    pass(500);
    expect(take(1)).not.toBeNull();
  });
});
