/** `id.in`: the stores with these ids, so that a copy reads changed stores a hundred at a time. */
import { IDS_PART } from '../../snapshot/id-table.ts';
import { arrayOf, type Declaration, parameter } from '../parameters.ts';
import { ID } from './after.ts';

const MAX_IDS = 100;

const shape = {
  'id.in': parameter(arrayOf(ID, MAX_IDS), {
    description: `Keeps the stores with these ids, at most ${MAX_IDS}. The case of letters does not matter, and an id that no store has is no fault.`,
    example: '5bef9a9c18cee08c5bc0641d,5f47143ac528f2c296b841eb',
    usualNames: ['ids'],
  }),
};

export const ID_IN: Declaration<typeof shape> = {
  shape,
  toCondition({ 'id.in': asked }) {
    // Case means nothing in ids.
    const wanted = [...new Set(asked.map((id) => id.toLowerCase()))].sort();
    return {
      kind: 'stores',
      text: `ids=${wanted}`,
      parts: [IDS_PART],
      keeps: 'few',
      open(release) {
        const ids = release.table(IDS_PART);
        const stores = Uint32Array.from(wanted.flatMap((id) => ids.candidates(id))).sort();
        const named = new Set(stores);
        return { test: (store) => named.has(store), stores };
      },
    };
  },
};
