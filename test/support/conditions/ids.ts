/** `id.in` and `after`. */
import fc from 'fast-check';
import type { SourceStore } from '../../../scripts/compile/source-store.ts';
import { anyId } from '../stores/random-values.ts';
import { type Asked, anyOf, type Samples } from './condition-case.ts';

/** The id of one of the stores, as it is written or in another case. */
function idOf(stores: readonly SourceStore[]): fc.Arbitrary<string> {
  if (stores.length === 0) return anyId;
  return fc.constantFrom(...stores.flatMap(({ id }) => [id, id.toUpperCase(), id.toLowerCase()]));
}

export const IDS_ASKED = {
  /** Goes with the default order alone; the oracle begins its page there. */
  after: {
    draw: (stores) => fc.oneof(idOf(stores), anyId),
    write: (after) => ({ after }),
    notBeside: ['skip'],
  } satisfies Asked<string>,
  idIn: anyOf<string>(
    'id.in',
    (stores) =>
      fc.array(fc.oneof({ weight: 5, arbitrary: idOf(stores) }, anyId), {
        minLength: 1,
        maxLength: 12,
      }),
    (asked, { id }) => asked.some((each) => each.toLowerCase() === id.toLowerCase()),
  ),
};

const [A, B] = ['a'.repeat(24), 'b'.repeat(24)];

export const IDS_SAMPLES: Samples = {
  same: [
    [`after=${'aB'.repeat(12)}`, `after=${'Ab'.repeat(12)}`],
    [`id.in=${A},${B}`, `id.in[]=${B.toUpperCase()}&id.in[]=${A.toUpperCase()}`],
  ],
  refused: [
    ['after=123', 'malformed_value after'],
    [`after=${A}&skip=0&sort=id`, 'not_together skip', 'not_together sort'],
    [`id.in=${A},x`, 'malformed_value id.in'],
  ],
};
