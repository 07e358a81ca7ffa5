/** Exports as they break, and as they change from one hour to the next, each against 120 stores. */
import { describe, expect, it } from 'vitest';
import { generateStores } from '../../fixtures/generator/store.ts';
import type { Refusal } from '../../scripts/guards/review-change.ts';
import { FIELDS, GUARD_NAMES, WRONG } from '../../scripts/guards/table.ts';
import { BROKEN } from './support/broken-exports.ts';
import { GuardStage, namesOf } from './support/guard-stage.ts';
import { ORDINARY } from './support/ordinary-exports.ts';

const STORES = [...generateStores(120, { seed: 21, languages: 2 })];

const stage = new GuardStage();
const reasonOf = ({ name, kind }: Refusal) =>
  kind === 'loss' && name in FIELDS ? `${name} lost` : name;

describe('a broken export', () => {
  const cases = BROKEN.map(([reason, broken]) => ({ reason, ...broken }));
  const inItself = cases.filter(({ reason }) => reason in WRONG);

  it.each(cases)('is refused by $reason: $name', async ({ reason, change }) => {
    const next = change(STORES);
    const refusals = await stage.judged(next, STORES);
    expect(refusals.map(reasonOf)).toContain(reason);
    for (const { examples, count } of refusals) {
      expect(examples).toHaveLength(Math.min(2, count));
      for (const { before, after } of examples) expect(after).not.toBe(before);
    }
    const enough = refusals.map((refusal) => [refusal.name, refusal.enough] as const);
    const left = await stage.judged(next, STORES, null, { allowed: new Map(enough) });
    expect(namesOf(left)).toEqual([]);
  });

  it.each(inItself)('is refused as a first publication by $reason: $name', async (broken) => {
    const refusals = await stage.judged(broken.change(STORES), null);
    expect(namesOf(refusals)).toContain(`${broken.reason} first`);
    for (const { examples } of refusals) expect(examples).toHaveLength(2);
  });

  it('is there for each guard of the table', () => {
    const refusing = new Set(BROKEN.map(([reason]) => reason.replace(' lost', '')));
    const others = GUARD_NAMES.filter((name) => !/^(verticale|language)-|^reviews$/.test(name));
    expect(others.filter((name) => !refusing.has(name))).toEqual([]);
  });
});

describe('an ordinary export is published', () => {
  it.each(ORDINARY)('$name', async ({ change, allow = [] }) => {
    const allowed = new Map(allow.map((name) => [name, Number.POSITIVE_INFINITY]));
    const next = change(STORES);
    expect(namesOf(await stage.judged(next, STORES, STORES, { allowed }))).toEqual([]);
    expect(namesOf(await stage.judged(next, null))).toEqual([]);
  });
});
