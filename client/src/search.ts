/** How a query is written into a URL. */

/**
 * The text after `?`: nested objects become dotted names, arrays values with commas between them.
 * @throws TypeError for an array without elements, which asks for nothing
 */
export function searchOf(query: object): string {
  return [...parametersOf(query, '')].join('&');
}

function* parametersOf(query: object, prefix: string): Generator<string> {
  for (const [key, value] of Object.entries(query)) {
    const name = prefix + key;
    if (value === undefined) continue;
    if (Array.isArray(value)) yield `${name}=${elementsOf(value, name)}`;
    else if (typeof value === 'object' && value !== null) yield* parametersOf(value, `${name}.`);
    else yield `${name}=${encodeURIComponent(String(value))}`;
  }
}

function elementsOf(values: readonly unknown[], name: string): string {
  if (values.length === 0) throw new TypeError(`${name} is an empty array.`);
  return values.map((value) => encodeURIComponent(String(value))).join(',');
}
