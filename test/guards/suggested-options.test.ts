/** The options that a refusal suggests let exactly that pass which it names, whatever was exported. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SourceStore } from '../../scripts/compile/source-store.ts';
import type { Refusal } from '../../scripts/guards/judge.ts';
import { storesFrom } from '../support/stores/compiled-stores.ts';
import { withName, withVerticales } from './support/export-changes.ts';
import { GuardStage } from './support/guard-stage.ts';

type Stores = readonly SourceStore[];

const STORES = storesFrom(1, 40);
const WORDS = ['BIKE', 'SKI', 'CAR'];
const LOST = '';
const MAY_LOSE_WORD = 10;
const USUAL = { name: 'Usual', verticales: WORDS, isThere: true };

const edit = fc.record({
  name: fc.constantFrom('A', 'B', LOST),
  verticales: fc.subarray(WORDS),
  isThere: fc.boolean(),
});

/** What an export says of each store, few or many of them other than usual. */
const exported = fc.constantFrom(1, 4, 12).chain((weight) =>
  fc.array(fc.oneof({ weight, arbitrary: fc.constant(USUAL) }, { weight: 2, arbitrary: edit }), {
    minLength: STORES.length,
    maxLength: STORES.length,
  }),
);

const storesOf = (edits: readonly (typeof USUAL)[]) =>
  STORES.flatMap((store, index) => {
    const { name, verticales, isThere } = edits[index] ?? USUAL;
    return isThere ? withName(name)(withVerticales(verticales)(store)) : [];
  });

/** What becomes of stores against one of the bases, by the words of the refusal. */
function expectedOf(next: Stores, base: Stores, factor: number) {
  const now = new Map(next.map((store) => [store.id, store.profile]));
  const pairs = base.flatMap(({ id, profile: before }) => {
    const after = now.get(id);
    return after ? { before, after } : [];
  });
  const renamed = pairs.filter(({ before, after }) => before.name !== after.name);
  const lost = renamed.filter(({ before, after }) => before.name !== LOST && after.name === LOST);
  const isTooMuch = (count: number, of: number, percent: number) =>
    count > 2 &&
    (100 * count) / of > percent * factor + 1e-9 &&
    (of >= 20 || (count === of && percent === MAY_LOSE_WORD));
  return [
    ...WORDS.flatMap((word) => {
      const has = ({ verticales }: SourceStore['profile']) =>
        verticales.some((each) => each === word);
      const of = base.filter(({ profile }) => has(profile)).length;
      const losing = pairs.filter(({ before, after }) => has(before) && !has(after)).length;
      const gaining = pairs.filter(({ before, after }) => !has(before) && has(after)).length;
      return [
        ...(isTooMuch(losing, of, MAY_LOSE_WORD) ? [`lose the verticale ${word}`] : []),
        ...(isTooMuch(gaining, base.length, 15) ? [`come to have the verticale ${word}`] : []),
      ];
    }),
    ...(isTooMuch(lost.length, base.length, 5) ? ['lose their name'] : []),
    ...(isTooMuch(renamed.length - lost.length, base.length, 20) ? ['change their name'] : []),
  ];
}

const isExpected = ({ name }: Refusal) => name === 'names' || name.startsWith('verticale-');

describe('what a refusal suggests', () => {
  const stage = new GuardStage();

  it('lets pass what is named, and nothing else that goes over a limit', async () => {
    await fc.assert(
      fc.asyncProperty(exported, exported, exported, async (nextEdits, liveEdits, dayAgoEdits) => {
        const next = storesOf(nextEdits);
        const live = storesOf(liveEdits);
        const dayAgo = storesOf(dayAgoEdits);
        fc.pre([next, live, dayAgo].every(({ length }) => length >= 20));
        const judged = (entries: readonly (readonly [string, number])[]) =>
          stage.judged(next, live, dayAgo, { allowed: new Map(entries) });
        const refusals = await judged([]);
        const named = refusals.filter(isExpected).map(({ would }) => would);
        const expected = [...expectedOf(next, live, 1), ...expectedOf(next, dayAgo, 2)];
        expect(named.toSorted()).toEqual([...new Set(expected)].toSorted());
        const options = new Map(refusals.map(({ name, enough }) => [name, enough]));
        for (const { name, enough } of refusals) expect(options.get(name)).toBe(enough);
        expect(await judged([...options])).toEqual([]);
        for (const [name, enough] of options) {
          const less = await judged([[name, enough - 1]]);
          expect(less.map((each) => each.name)).toContain(name);
        }
      }),
      { numRuns: 30 },
    );
  });
});
