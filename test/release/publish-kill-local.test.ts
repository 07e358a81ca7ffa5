/**
 * Publications to local storage are killed, among a reader, a second publisher and a prune: KILL,
 * TERM or INT, to node, to npm or to both, as they upload, confirm, decide, turn the pointer, and
 * after that. No answer fails or is mixed, what is live is whole, the last line and the exit code
 * tell what has become of the release, `list` tells the truth, and the next publication succeeds.
 *
 * PUBLISH_KILLS sets how many are killed, here and in publish-kill-remote.test.ts together: 10 by
 * default; in 180 every combination comes once. PUBLISH_KILLS_FROM is the number in the plan of the
 * first, for a long run in pieces.
 */
import { describe, it } from 'vitest';
import { CAN_KILL, expectUnspoilt, PATIENCE } from './kills/expect-unspoilt.ts';

describe.skipIf(!CAN_KILL)('a publication to local storage that is killed', () => {
  it('spoils nothing and says what has become of it', { timeout: PATIENCE }, () =>
    expectUnspoilt('local'),
  );
});
