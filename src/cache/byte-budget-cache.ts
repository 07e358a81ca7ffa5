/**
 * A cache of values with a size in bytes, bounded by a budget, keeping what was used of late.
 *
 * Two generations stand in for an exact least-recently-used order: a value that is used moves to
 * the young one; when the young one holds half of the budget it becomes the old one, and what was
 * in the old one and not used since is dropped. A hit costs one look-up or two, never a list.
 */
export class ByteBudgetCache<Value extends object> {
  private readonly generationBytes: number;
  private readonly sizeOf: (value: Value) => number;
  private young = new Map<string, Value>();
  private old = new Map<string, Value>();
  private youngBytes = 0;
  private oldBytes = 0;

  constructor(budgetBytes: number, sizeOf: (value: Value) => number) {
    this.generationBytes = budgetBytes / 2;
    this.sizeOf = sizeOf;
  }

  /** Bytes held at present; never more than the budget. */
  get bytes(): number {
    return this.youngBytes + this.oldBytes;
  }

  get(key: string): Value | undefined {
    const young = this.young.get(key);
    if (young !== undefined) return young;
    const old = this.old.get(key);
    if (old === undefined) return undefined;
    this.old.delete(key);
    this.oldBytes -= this.sizeOf(old);
    this.add(key, old);
    return old;
  }

  /** Keeps `value`, unless it alone is more than a generation may hold. */
  set(key: string, value: Value): void {
    this.remove(key);
    if (this.sizeOf(value) <= this.generationBytes) this.add(key, value);
  }

  private add(key: string, value: Value): void {
    const size = this.sizeOf(value);
    if (this.youngBytes + size > this.generationBytes) this.turn();
    this.young.set(key, value);
    this.youngBytes += size;
  }

  private turn(): void {
    this.old = this.young;
    this.oldBytes = this.youngBytes;
    this.young = new Map();
    this.youngBytes = 0;
  }

  private remove(key: string): void {
    const young = this.young.get(key);
    if (young !== undefined && this.young.delete(key)) this.youngBytes -= this.sizeOf(young);
    const old = this.old.get(key);
    if (old !== undefined && this.old.delete(key)) this.oldBytes -= this.sizeOf(old);
  }
}
