/**
 * A map that holds so many entries at most, and makes room by dropping the one set longest ago.
 * Setting an entry anew makes it the youngest; reading it changes nothing, so a hit is one look-up.
 */
export class BoundedMap<Key, Value> {
  private readonly limit: number;
  private readonly entries = new Map<Key, Value>();

  constructor(limit: number) {
    this.limit = limit;
  }

  get(key: Key): Value | undefined {
    return this.entries.get(key);
  }

  set(key: Key, value: Value): void {
    this.entries.delete(key);
    if (this.entries.size >= this.limit) {
      const [oldest] = this.entries.keys();
      this.entries.delete(oldest as Key);
    }
    this.entries.set(key, value);
  }

  delete(key: Key): void {
    this.entries.delete(key);
  }
}
