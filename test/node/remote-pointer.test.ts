/** Turning the pointer over the API when its write has to be repeated. */
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { parsePointer } from '../../scripts/release/published-release.ts';
import { turnPointer } from '../../scripts/release/turn-pointer.ts';
import { RemoteKvTarget } from '../../scripts/storage/cloudflare-kv.ts';
import { RemoteR2Target } from '../../scripts/storage/cloudflare-r2.ts';
import { FORMAT_VERSION, POINTER_KEY } from '../../src/snapshot/keys.ts';
import type { Pointer } from '../../src/snapshot/manifest.ts';
import { openApi, runOutInSilence, type StageOptions } from './cloudflare/stage.ts';
import { BUCKET, CloudflareStandIn, type Fault, SNAPSHOTS_ID } from './cloudflare/stand-in.ts';
import { emptyRelease, pointerTo } from './compiled-stores.ts';

let standIn: CloudflareStandIn;

beforeAll(async () => {
  standIn = await CloudflareStandIn.start();
});

afterEach(() => {
  vi.restoreAllMocks();
  standIn.reset();
});

afterAll(() => standIn.stop());

const PLACES = [
  {
    name: 'KV',
    open: (options?: StageOptions) => new RemoteKvTarget(openApi(standIn, options), SNAPSHOTS_ID),
    set: (text: string) => standIn.snapshots.set(POINTER_KEY, text),
    stored: () => standIn.snapshots.values.get(POINTER_KEY),
  },
  {
    name: 'R2',
    open: (options?: StageOptions) => new RemoteR2Target(openApi(standIn, options), BUCKET),
    set: (text: string) => standIn.bucket.objects.set(POINTER_KEY, Buffer.from(text)),
    stored: () => standIn.bucket.objects.get(POINTER_KEY),
  },
];

const OLD = pointerTo('a'.repeat(16), 1);
const OURS = emptyRelease('b'.repeat(16), 2);
const RIVALS = pointerTo('c'.repeat(16), 3);

/** The pointer that leads from the old release to ours. */
const TURNED: Pointer = {
  format: FORMAT_VERSION,
  number: 2,
  ...OURS,
  before: emptyRelease('a'.repeat(16), 1),
};

/** The look before the write goes well, the write does not. */
const failWrite = (fault: Fault) => standIn.failNext({ kind: 'delay', delay: 0 }, fault);

describe.each(PLACES)('a pointer in $name', ({ open, set, stored }) => {
  const live = () => parsePointer(stored() ?? null);
  const writes = () => standIn.requests.filter(({ method }) => method === 'PUT');

  it('that a rival turned while the API was silent is left alone', async () => {
    set(JSON.stringify(OLD));
    failWrite({ kind: 'silence' });
    runOutInSilence(standIn);
    const target = open({ onWait: () => set(JSON.stringify(RIVALS)) });
    await expect(turnPointer(target, OLD, OURS)).rejects.toMatchObject({
      code: 'publish_conflict',
      details: { live: { release: 'c'.repeat(16), publishedAt: RIVALS.publishedAt } },
    });
    expect(live()).toEqual(RIVALS);
    expect(writes()).toHaveLength(1);
  });

  it('is turned by a second attempt while it is what it was', async () => {
    set(JSON.stringify(OLD));
    failWrite({ kind: 'drop' });
    await turnPointer(open(), OLD, OURS);
    expect(live()).toEqual(TURNED);
    expect(writes()).toHaveLength(2);
  });

  it('is not written again when only the answer was lost', async () => {
    set(JSON.stringify(OLD));
    failWrite({ kind: 'drop answer' });
    await turnPointer(open(), OLD, OURS);
    expect(live()).toEqual(TURNED);
    expect(writes()).toHaveLength(1);
  });
});
