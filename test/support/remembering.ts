/** Results that take longer to work out than to look up. */

/** Returns `make`, which works out the value of each key once. */
export function remembering<Key, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const known = new Map<Key, Value>();
  return (key) => {
    if (!known.has(key)) known.set(key, make(key));
    return known.get(key) as Value;
  };
}
