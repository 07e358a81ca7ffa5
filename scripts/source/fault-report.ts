/** Collects the faults of a source and says what they come to. */
import { type Fault, type FaultKind, fieldOf, isSourceFault } from './fault.ts';
import { JsonSpool } from './file-spool.ts';

/**
 * Most groups that are told apart. Keys that no store has can be anything, so their number knows no
 * bound; what comes after goes by its kind alone.
 */
const MOST_GROUPS = 1_000;

/** Faults of one kind in one field. */
export interface FaultGroup {
  readonly kind: FaultKind;
  /** Of the field, with `*` for any element of an array: `geo.rentalPoints.*.slug`. */
  readonly path: string;
  count: number;
  /** The first few. */
  readonly faults: Fault[];
}

/** Counts every fault, keeps the first few of each group and, for machines, all of them. */
export class FaultReport {
  goodStores = 0;
  /** Records that had a fault, hence are left out when others are not. */
  faultyStores = 0;
  /** Whether the source as a whole is faulty. */
  isSourceFaulty = false;
  /** Whether the source ends within a line that cannot be read. */
  mayBeCutOff = false;
  count = 0;
  private readonly keepEachGroup: number;
  private readonly spool: JsonSpool<Fault> | null;
  private readonly byPlace = new Map<string, FaultGroup>();

  /** @param keepsAll whether every fault will be asked for */
  constructor(keepEachGroup: number, keepsAll: boolean) {
    this.keepEachGroup = keepEachGroup;
    this.spool = keepsAll ? new JsonSpool() : null;
  }

  /** Takes all faults of one record. */
  add(faults: readonly Fault[]): void {
    if (faults.some(isSourceFault)) this.isSourceFaulty = true;
    else this.faultyStores++;
    for (const fault of faults) this.addLate(fault);
  }

  /** Takes a fault of a record of which others were told before. */
  addLate(fault: Fault): void {
    this.count++;
    if (fault.mayBeCutOff) this.mayBeCutOff = true;
    this.spool?.add(fault);
    const group = this.groupOf(fault);
    group.count++;
    if (group.faults.length < this.keepEachGroup) group.faults.push(fault);
  }

  get stores(): number {
    return this.goodStores + this.faultyStores;
  }

  /** The most frequent ones first. */
  get groups(): readonly FaultGroup[] {
    return [...this.byPlace.values()].sort((a, b) => b.count - a.count);
  }

  /** Kinds with their number of faults, the most frequent first. */
  get kinds(): [FaultKind, number][] {
    const counts = new Map<FaultKind, number>();
    for (const { kind, count } of this.byPlace.values()) {
      counts.set(kind, (counts.get(kind) ?? 0) + count);
    }
    return [...counts].sort(([, a], [, b]) => b - a);
  }

  /** Every fault in the order in which they were found, if all were to be kept; to be read once. */
  get faults(): AsyncIterable<Fault> | readonly Fault[] {
    return this.spool ?? [];
  }

  private groupOf({ kind, path }: Fault): FaultGroup {
    const field = fieldOf(path);
    const known = this.byPlace.get(`${kind} ${field}`);
    if (known) return known;
    const place = this.byPlace.size < MOST_GROUPS ? field : '…';
    const key = `${kind} ${place}`;
    const group = this.byPlace.get(key) ?? { kind, path: place, count: 0, faults: [] };
    this.byPlace.set(key, group);
    return group;
  }
}
