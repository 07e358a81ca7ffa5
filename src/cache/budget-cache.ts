/**
 * A cache of values within a budget, of bytes or of entries, that a walk over everything does not
 * flush.
 *
 * New values stand in a short queue, a tenth of the budget. One that is used again before it leaves
 * that queue moves to the main one; other values, such as the values of a walk, are dropped, and their keys
 * remembered for a while: what is wanted again so soon goes to the main queue at once, so that what
 * is used now takes the place of what was used once. In the main queue a value goes round once more
 * for every use since its last round. This is S3-FIFO (J. Yang and others, "FIFO queues are all you
 * need for cache eviction", 2023). A hit is one look-up and moves nothing.
 */
interface Entry<Value> {
  readonly key: string;
  readonly value: Value;
  readonly size: number;
  /** Uses since it was added or went round, up to MAX_USES. */
  uses: number;
}

/** Share of the budget for values that were not used again yet. */
const NEW_SHARE = 0.1;

const MAX_USES = 3;

export class BudgetCache<Value> {
  private budget: number;
  private readonly sizeOf: (value: Value) => number;
  private readonly onDrop: (value: Value, key: string) => void;
  private readonly entries = new Map<string, Entry<Value>>();
  private readonly fresh = new Set<Entry<Value>>();
  private readonly main = new Set<Entry<Value>>();
  /** Keys of values that were not used again, from the one dropped longest ago. */
  private readonly dropped = new Set<string>();
  /** What the values held at present weigh; never more than the budget. */
  size = 0;
  private freshSize = 0;

  /**
   * @param budget in the unit of `sizeOf`
   * @param sizeOf what a value takes of the budget
   * @param onDrop called with each value that is held no longer, or was too large to be
   */
  constructor(
    budget: number,
    sizeOf: (value: Value) => number = () => 1,
    onDrop: (value: Value, key: string) => void = () => {},
  ) {
    this.budget = budget;
    this.sizeOf = sizeOf;
    this.onDrop = onDrop;
  }

  /** Returns the keys of the values held at present. */
  keys(): Iterable<string> {
    return this.entries.keys();
  }

  /** Returns a value that is held, or undefined. Does not count as a use. */
  peek(key: string): Value | undefined {
    return this.entries.get(key)?.value;
  }

  /** Returns a value that is held, or undefined. Counts as a use. */
  get(key: string): Value | undefined {
    const entry = this.entries.get(key);
    if (entry === undefined) return undefined;
    if (entry.uses < MAX_USES) entry.uses++;
    return entry.value;
  }

  /** Keeps `value`, unless it alone is more than the budget. */
  set(key: string, value: Value): void {
    this.delete(key);
    const entry: Entry<Value> = { key, value, size: this.sizeOf(value), uses: 0 };
    if (entry.size > this.budget) {
      this.onDrop(value, key);
      return;
    }
    this.entries.set(key, entry);
    this.size += entry.size;
    if (this.dropped.delete(key)) {
      this.main.add(entry);
    } else {
      this.fresh.add(entry);
      this.freshSize += entry.size;
    }
    this.makeRoom();
  }

  delete(key: string): void {
    const entry = this.entries.get(key);
    if (!entry) return;
    this.entries.delete(key);
    this.size -= entry.size;
    this.main.delete(entry);
    this.takeFromFresh(entry);
    this.onDrop(entry.value, key);
  }

  /** Changes the budget; what is over it goes at once. */
  resize(budget: number): void {
    this.budget = budget;
    this.makeRoom();
  }

  private takeFromFresh(entry: Entry<Value>): void {
    if (this.fresh.delete(entry)) this.freshSize -= entry.size;
  }

  private makeRoom(): void {
    while (this.size > this.budget) {
      const isFresh = this.freshSize > NEW_SHARE * this.budget || this.main.size === 0;
      if (isFresh) this.leaveFresh();
      else this.leaveMain();
    }
    // As many as there are values: what was dropped longer ago is not wanted so soon.
    while (this.dropped.size > this.entries.size) this.dropped.delete(first(this.dropped));
  }

  /** Takes the oldest value out of the queue of new ones: to the main queue if it was used, else away. */
  private leaveFresh(): void {
    const entry = first(this.fresh);
    if (entry.uses === 0) {
      this.delete(entry.key);
      this.dropped.add(entry.key);
      return;
    }
    entry.uses = 0;
    this.takeFromFresh(entry);
    this.main.add(entry);
  }

  /** Sends the oldest value of the main queue round again if it was used, else drops it. */
  private leaveMain(): void {
    const entry = first(this.main);
    if (entry.uses === 0) {
      this.delete(entry.key);
      return;
    }
    entry.uses--;
    this.main.delete(entry);
    this.main.add(entry);
  }
}

/** Returns the oldest of `items`, which are not empty. */
function first<Item>(items: ReadonlySet<Item>): Item {
  return items.values().next().value as Item;
}
