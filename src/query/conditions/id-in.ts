/** `id.in`: the stores with these ids, so that a copy reads changed stores a hundred at a time. */
import { many } from '../../parameters/parameter.ts';
import { IDS_PART } from '../../snapshot/id-table.ts';
import { ID } from './after.ts';
import type { Declaration } from './condition.ts';

/** Stores that are named in one request. */
const MOST_IDS = 100;

const NAME = 'id.in';

const parameters = [
  many(
    {
      name: NAME,
      description: `Keeps the stores with these ids, at most ${MOST_IDS}. The case of letters does not matter, and an id that no store has is no fault.`,
      example: '5bef9a9c18cee08c5bc0641d,5f47143ac528f2c296b841eb',
      usualNames: ['ids'],
    },
    ID,
  ),
] as const;

export const ID_IN: Declaration<typeof parameters> = {
  parameters,
  faults: { too_many_ids: `More than ${MOST_IDS} ids were given.` },
  checkTogether(texts) {
    const count = distinct(texts.get(NAME) ?? []).size;
    if (count <= MOST_IDS) return [];
    const detail = `Takes at most ${MOST_IDS} ids, got ${count}.`;
    return [{ parameter: NAME, code: 'too_many_ids', detail }];
  },
  decide({ [NAME]: asked }) {
    if (asked === undefined) return null;
    const names = [...distinct(asked)].sort();
    return {
      kind: 'stores',
      text: `ids=${names}`,
      parts: [IDS_PART],
      keeps: 'few',
      open(release) {
        const ids = release.table(IDS_PART);
        const stores = Uint32Array.from(names.flatMap((id) => ids.find(id) ?? [])).sort();
        const named = new Set(stores);
        return { test: (store) => named.has(store), stores };
      },
    };
  },
};

/** Each once, in lower case: case means nothing in ids. */
function distinct(ids: readonly (string | null)[]): Set<string> {
  return new Set(ids.map((id) => String(id).toLowerCase()));
}
