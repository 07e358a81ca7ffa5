/** Puts what a run measured in the place of what `results.json` has of the same. */
import type { Regime } from '../regimes.ts';
import type { ApartMark, Results, RunMark, SizeResult } from './results.ts';

/**
 * Regimes that can be recorded by themselves, and where their results stand. `hot` and `whole` cannot:
 * their results are ratios to each other.
 */
const OWN_RESULT = {
  cold: 'cold',
  crowd: 'crowd',
  memory: 'memory',
  d1: 'd1',
  publish: 'publishing',
  changes: 'changes',
  soak: 'soak',
} as const satisfies Partial<Record<Regime, keyof SizeResult>>;

/** Those with bars that grow with what the same run measured of the machine. */
const WITH_YARDSTICK: readonly Regime[] = ['cold', 'changes'];

export type RecordableRegime = keyof typeof OWN_RESULT;
export const RECORDABLE = Object.keys(OWN_RESULT) as RecordableRegime[];

export function isRecordable(regime: Regime): regime is RecordableRegime {
  return Object.hasOwn(OWN_RESULT, regime);
}

/**
 * What was known, with some regimes of the measured sizes replaced.
 * @param known content of `results.json`: older versions of it have fewer fields
 */
export function recordApart(
  known: Results,
  measured: Results,
  regimes: readonly RecordableRegime[],
): Results {
  const { date, commit } = measured.environment;
  const mark: RunMark = { date, commit };
  const before = known.sizes.map(complete);
  const others = before.filter(
    ({ storeCount }) => !measured.sizes.some((size) => size.storeCount === storeCount),
  );
  const replaced = measured.sizes.map((size) => {
    const old = before.find(({ storeCount }) => storeCount === size.storeCount) ?? size;
    const fields = regimes.map((regime) => [OWN_RESULT[regime], size[OWN_RESULT[regime]]]);
    const marks = regimes.map((regime) => [regime, markOf(regime, mark, size)]);
    const apart = { ...old.apart, ...Object.fromEntries(marks) };
    return { ...old, ...Object.fromEntries(fields), apart };
  });
  const sizes = [...others, ...replaced].toSorted((a, b) => a.storeCount - b.storeCount);
  return { environment: known.environment, sizes };
}

/** A full run, with the soaks that were known before: it measures none. */
export function recordFullRun(known: Results | null, measured: Results): Results {
  const sizes = measured.sizes.map((size) => {
    const old = known?.sizes.find(({ storeCount }) => storeCount === size.storeCount);
    const mark = old?.apart?.soak;
    return old?.soak && mark ? { ...size, soak: old.soak, apart: { soak: mark } } : size;
  });
  return { environment: measured.environment, sizes };
}

function markOf(regime: Regime, mark: RunMark, { yardstick }: SizeResult): ApartMark {
  return WITH_YARDSTICK.includes(regime) ? { ...mark, yardstick } : mark;
}

function complete(size: SizeResult): SizeResult {
  return { ...size, changes: size.changes ?? null, soak: size.soak ?? null };
}
