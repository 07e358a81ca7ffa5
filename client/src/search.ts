/** How a query is written into a URL. */
import type { Area } from './query.ts';

/**
 * Returns the text after `?`: nested objects become dotted names, arrays values with commas between them.
 * @throws TypeError for an array without elements, which asks for nothing
 */
export function searchOf(query: object): string {
  return [...parametersOf(query, '')].join('&');
}

function* parametersOf(query: object, prefix: string): Generator<string> {
  for (const [key, value] of Object.entries(query)) {
    const name = prefix + key;
    if (value === undefined) continue;
    if (name === 'bbox') yield `${name}=${withinWorld(value)}`;
    else if (Array.isArray(value)) yield `${name}=${elementsOf(value, name)}`;
    else if (isGroup(value)) yield* parametersOf(value, `${name}.`);
    else yield `${name}=${encodeText(value)}`;
  }
}

const isGroup = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !(value instanceof Date);

function elementsOf(values: readonly unknown[], name: string): string {
  if (values.length === 0) throw new TypeError(`${name} is an empty array.`);
  return values.map(encodeText).join(',');
}

/** Encodes a text. Half of a surrogate pair, as a cut emoji leaves it, has no code: it becomes U+FFFD. */
export function encodeText(value: unknown): string {
  if (value instanceof Date) return value.toISOString();
  return encodeURIComponent(String(value).toWellFormed());
}

/** Wraps the area of a map, which goes on beyond the antimeridian and the poles: longitudes end at ±180. */
function withinWorld([west, south, east, north]: Area): Area {
  const limit = (latitude: number) => Math.min(90, Math.max(-90, latitude));
  const isWholeWorld = east - west >= 360;
  return [
    isWholeWorld ? -180 : wrapped(west),
    limit(south),
    isWholeWorld ? 180 : wrapped(east),
    limit(north),
  ];
}

function wrapped(longitude: number): number {
  if (Math.abs(longitude) <= 180) return longitude;
  return longitude - 360 * Math.floor((longitude + 180) / 360);
}
