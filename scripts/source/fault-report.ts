/** Collects the faults of a source and says what they come to. */
import { type Fault, type FaultKind, isSourceFault } from './fault.ts';

/** Counts every fault and keeps all of them, or the first few of each kind. */
export class FaultReport {
  /** Records that had a fault, hence are left out when others are not. */
  faultyStores = 0;
  /** Whether the source as a whole is faulty. */
  isSourceFaulty = false;
  private readonly keepEachKind: number;
  private readonly counts = new Map<FaultKind, number>();
  private readonly kept: Fault[] = [];

  /** @param keepEachKind how many faults of a kind to keep, `Infinity` for all */
  constructor(keepEachKind: number) {
    this.keepEachKind = keepEachKind;
  }

  /** Takes all faults of one record. */
  add(faults: readonly Fault[]): void {
    if (faults.some(isSourceFault)) this.isSourceFaulty = true;
    else this.faultyStores++;
    for (const fault of faults) {
      const count = this.counts.get(fault.kind) ?? 0;
      this.counts.set(fault.kind, count + 1);
      if (count < this.keepEachKind) this.kept.push(fault);
    }
  }

  get count(): number {
    return this.kinds.reduce((sum, [, count]) => sum + count, 0);
  }

  /** Kinds with their number of faults, the most frequent first. */
  get kinds(): [FaultKind, number][] {
    return [...this.counts].sort(([, a], [, b]) => b - a);
  }

  /** The faults kept, in the order of the source. */
  get faults(): readonly Fault[] {
    return this.kept;
  }
}
