/** KV is eventually consistent: what was written here is waited for, nothing else is. */
import { describe, expect, it } from 'vitest';
import { openKv, openStandIn, type StageOptions, TestClock } from '../support/cloudflare/stage.ts';

const VALUE = new TextEncoder().encode('value');

const standIn = await openStandIn();

const openTarget = (options?: StageOptions) => openKv(standIn, options);

describe('a value that KV shows late', () => {
  it('is waited for when it was written here, also where many are read at once', async () => {
    standIn.snapshots.readsUntilVisible = 4;
    const target = openTarget();
    const keys = ['object/1', 'object/2', 'object/3'];
    const sized = (key: string) => ({ key, size: VALUE.length });
    await target.putAll(keys.map(sized), async (some) => some.map(() => VALUE));
    expect(await target.get('object/1')).toEqual(VALUE);
    const read = await target.getAll([...keys, 'object/4'].map(sized));
    expect(read).toEqual(new Map(keys.map((key) => [key, VALUE])));
  });

  it('is waited for in place of what was there before', async () => {
    const target = openTarget();
    const text = async () => new TextDecoder().decode((await target.get('pointer')) ?? undefined);
    standIn.snapshots.set('pointer', 'old');
    expect(await text()).toBe('old');
    standIn.snapshots.readsUntilVisible = 3;
    for (const value of ['new', 'newer', 'old']) {
      await target.put('pointer', new TextEncoder().encode(value));
      expect(await text()).toBe(value);
    }
  });

  it('is given up after two minutes: what KV shows is returned', async () => {
    const clock = new TestClock();
    const begin = clock.now();
    standIn.snapshots.readsUntilVisible = 1000;
    const target = openTarget({ clock });
    await target.put('a', VALUE);
    expect(await target.get('a')).toBeNull();
    expect(clock.now() - begin).toBe(120_000);
  });

  it('is not waited for after it was deleted, or where nothing was written', async () => {
    const target = openTarget();
    await target.put('a', VALUE);
    await target.delete('a');
    standIn.requests.length = 0;
    expect(await target.get('a')).toBeNull();
    expect(await target.get('b')).toBeNull();
    expect(standIn.requests).toHaveLength(2);
  });
});
