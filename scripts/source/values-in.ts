/** What is within a value of JSON. */

export type JsonObject = Readonly<Record<string, unknown>>;

/** A value within another, and where it lies: dotted, elements of lists by number. */
export interface LocatedValue {
  readonly path: string;
  readonly value: unknown;
}

/** Returns a value and all in it, each after what holds it. A loop: text of an export may nest without end. */
export function* valuesIn(whole: unknown): Generator<LocatedValue> {
  const left: LocatedValue[] = [{ path: '', value: whole }];
  for (const located of left) {
    yield located;
    const { path, value } = located;
    if (typeof value !== 'object' || value === null) continue;
    for (const [key, each] of Object.entries(value)) {
      left.push({ path: path === '' ? key : `${path}.${key}`, value: each });
    }
  }
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
