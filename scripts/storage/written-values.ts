/**
 * Tells a value that KV shows late from one that somebody else wrote. KV is eventually consistent:
 * for a minute or more after a write it may show what was there before.
 */
interface Value {
  /** What was written here last; null when nothing was. */
  written: string | null;
  /** What was there before that. */
  readonly before: Set<string>;
}

/** Values go by the SHA-256 of their bytes. */
export class WrittenValues {
  private readonly values = new Map<string, Value>();

  /** Notes what is about to be replaced, should `key` be written. */
  noteRead(key: string, hash: string | null): void {
    const value = this.of(key);
    if (value.written === null && hash !== null) value.before.add(hash);
  }

  noteWritten(key: string, hash: string): void {
    const value = this.of(key);
    if (value.written !== null) value.before.add(value.written);
    value.before.delete(hash);
    value.written = hash;
  }

  noteDeleted(key: string): void {
    this.values.delete(key);
  }

  /** Whether `shown` (null: nothing) is what was under `key` before it was written here. */
  isLate(key: string, shown: string | null): boolean {
    const value = this.values.get(key);
    if (!value || value.written === null || shown === value.written) return false;
    return shown === null || value.before.has(shown);
  }

  private of(key: string): Value {
    let value = this.values.get(key);
    if (!value) {
      value = { written: null, before: new Set() };
      this.values.set(key, value);
    }
    return value;
  }
}
