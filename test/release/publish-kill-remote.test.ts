/**
 * The same as publish-kill-local.test.ts over the stand-in of Cloudflare's API, whose KV shows late
 * what was written.
 */
import { describe, it } from 'vitest';
import { CAN_KILL, expectUnspoilt, PATIENCE } from './kills/expect-unspoilt.ts';

describe.skipIf(!CAN_KILL)("a publication to Cloudflare's stand-in that is killed", () => {
  it('spoils nothing and says what has become of it', { timeout: PATIENCE }, () =>
    expectUnspoilt('remote'),
  );
});
