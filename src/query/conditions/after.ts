/** `after`: the page begins behind an id, so that a walk meets every store even while others are published. */
import type * as z from 'zod';
import { ID_PATTERN } from '../../model/store.ts';
import { IDS_PART } from '../../snapshot/id-table.ts';
import { addFault, type Declaration, parameter, textLike } from '../parameters.ts';

/** An id, as parameters take it. */
export const ID = textLike(ID_PATTERN, 'an id of 24 hexadecimal digits');

/**
 * Builds `after`.
 * @param description what comes after the id, and what `after` does not go together with
 */
function afterParameter(description: string) {
  const example = '5bef9a9c18cee08c5bc0641d';
  const usualNames = ['cursor', 'page_token', 'pagetoken'];
  return parameter(ID, { description, example, usualNames });
}

/** `after` of changes, which have no other order and no position. */
export const AFTER_CHANGE = afterParameter(
  'Begins the page after this id; changes come in the order of ids. The case of its letters does not matter. `total` stays that of all changes between the two releases. Not together with `skip`.',
);

const shape = {
  after: afterParameter(
    'Begins the page after this id; stores come in the order of ids. The case of its letters does not matter. To read a whole list, pass the last id of each page: a store that matches during the whole walk comes exactly once, even when stores are published meanwhile. `total` stays that of the whole list. Not together with `skip`, `sort`, a position, a delivery point or `q`.',
  ),
};

export const AFTER: Declaration<typeof shape> = {
  shape,
  toCondition({ after }) {
    return {
      kind: 'page',
      // Case means nothing in ids: equal queries have equal texts.
      text: `after=${after.toLowerCase()}`,
      parts: [IDS_PART],
      first: (release) => release.table(IDS_PART).countUpTo(after),
    };
  },
};

/** Adds a fault for each of `others` that was sent together with `after`. */
export function checkAfter(
  sent: object,
  others: readonly string[],
  context: z.RefinementCtx,
): void {
  if (!('after' in sent)) return;
  const detail = 'Not together with after, which goes by the order of ids.';
  for (const name of others) if (name in sent) addFault(context, 'not_together', detail, name);
}
