/** Exports as they break, and as they change from one hour to the next, each against 120 stores. */
import { describe, expect, it } from 'vitest';
import { generateStores } from '../../fixtures/generator/store.ts';
import type { SourceStore } from '../../scripts/compile/source-store.ts';
import { judge, type Refusal } from '../../scripts/guards/review-change.ts';
import { FIELDS, GUARD_NAMES, RULES, WRONG_RULES } from '../../scripts/guards/table.ts';
import { BROKEN, type BrokenExport, DOUBTFUL } from './support/broken-exports.ts';
import { type ExportChange, nextExport } from './support/export-changes.ts';
import { findingsOf, judged, namesOf, warnings } from './support/guard-stage.ts';
import { DIRECTORIES, ORDINARY, type OrdinaryExport } from './support/ordinary-exports.ts';

const STORES = [...generateStores(120, { seed: 21, languages: 2 })];
const LIVE = new Set(STORES);

/** Stores that changed, and every fourth of the others: these are found in order again and again, which takes its time. */
const excerptOf = (stores: readonly SourceStore[]) =>
  stores.filter((store, index) => index % 4 === 0 || !LIVE.has(store));

const IN_ITSELF = WRONG_RULES.map(({ name }) => name);
const FIELD_NAMES = FIELDS.map(({ loss }) => loss.name);
const reasonOf = ({ name, kind }: Refusal) =>
  kind === 'loss' && FIELD_NAMES.includes(name) ? `${name} lost` : name;

describe('a broken export', () => {
  it.each(BROKEN)('is refused by %s: %s', async (...[guards, , ...how]: BrokenExport) => {
    const reasons = guards.split(', ');
    const next = nextExport(STORES, how);
    const findings = await findingsOf(next, 'live', STORES);
    const refusals = judge(findings, new Map());
    expect(refusals.map(reasonOf)).toEqual(expect.arrayContaining(reasons));
    for (const { examples, count } of refusals) {
      expect(examples).toHaveLength(Math.min(2, count));
      for (const { before, after } of examples) expect(after).not.toBe(before);
    }
    const enough = refusals.map((refusal) => [refusal.name, refusal.enough] as const);
    expect(namesOf(judge(findings, new Map(enough)))).toEqual([]);
    const inItself = reasons.filter((reason) => IN_ITSELF.includes(reason));
    if (inItself.length === 0) return;
    const first = await judged(excerptOf(next), null);
    expect(namesOf(first)).toEqual(expect.arrayContaining(inItself.map((name) => `${name} first`)));
    for (const { examples } of first) expect(examples).toHaveLength(2);
  });

  it('is there for each guard of the table', () => {
    const refusing = new Set(
      BROKEN.flatMap(([guards]) => guards.replaceAll(' lost', '').split(', ')),
    );
    const told = new Set(DOUBTFUL.flatMap(([guards]) => guards.split(', ')));
    const others = GUARD_NAMES.filter(
      (name) => !/^(verticale|language)-|^reviews$/.test(name) && !told.has(name),
    );
    expect(others.filter((name) => !refusing.has(name))).toEqual([]);
  });
});

it.each<[part: number, told: string[]]>([
  [0.3, ['would be open from midnight to midnight: ']],
  [0.02, []],
])('a later export warns where %d of the stores change so', async (part, told) => {
  const [, , , ...how] = DOUBTFUL.find(([guard]) => guard === 'always-open') as BrokenExport;
  const next = nextExport(STORES, [part, ...how] as unknown as ExportChange);
  const expected = told.map((words) => expect.stringContaining(words));
  expect(await warnings(next, STORES)).toEqual(expected);
});

describe('a first publication', () => {
  it.each(DOUBTFUL)('is warned of by %s: %s', async (...[guards, , ...how]: BrokenExport) => {
    const told = await warnings(nextExport(STORES, how));
    const expected = RULES.filter(({ name }) => guards.split(', ').includes(name));
    const words = expected.map(({ would }) => expect.stringContaining(` would ${would}: `));
    expect(told).toEqual(expect.arrayContaining(words));
    expect(told).toHaveLength(words.length);
  });

  it.each(DIRECTORIES)('is ordinary: %s', async (...[, ...how]: OrdinaryExport) => {
    const stores = nextExport(STORES.slice(0, 60), how);
    expect(await warnings(stores)).toEqual([]);
    expect(await warnings(stores.slice(0, 5))).toEqual([]);
  });
});

it.each(ORDINARY)(
  'an ordinary export is published: %s',
  async (...[name, ...how]: OrdinaryExport) => {
    // Hours of all stores at once are for people to pass.
    const allow = name.startsWith('season hours for all') ? ['hours'] : [];
    const allowed = new Map(allow.map((guard) => [guard, Number.POSITIVE_INFINITY]));
    const next = nextExport(STORES, how);
    expect(namesOf(await judged(next, STORES, null, { allowed }))).toEqual([]);
    expect(namesOf(await judged(excerptOf(next), null))).toEqual([]);
  },
);
