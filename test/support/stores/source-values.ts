/** The single values of JSON documents by path, and where those of a source store are answered. */

import type { SourceStore } from '../../../scripts/compile/source-store.ts';
import { isLanguage, type Language } from '../../../src/model/enumerations.ts';

/** Every string, number, boolean, null and empty array (as `[]`) of `value`, by dotted path. */
export function leavesOf(
  value: unknown,
  path = '',
  leaves = new Map<string, unknown>(),
): Map<string, unknown> {
  if (typeof value !== 'object' || value === null) return leaves.set(path, value);
  if (Array.isArray(value) && value.length === 0) return leaves.set(path, '[]');
  for (const [key, inner] of Object.entries(value)) {
    leavesOf(inner, path === '' ? key : `${path}.${key}`, leaves);
  }
  return leaves;
}

/**
 * The values of `source` that an answer in language `current` has unchanged, by their path in the
 * answer. Of language maps only the entry of `current`; of hidden addresses nothing.
 */
export function sourceValues(source: SourceStore, current: Language): Map<string, unknown> {
  const values = new Map<string, unknown>();
  for (const [path, value] of leavesOf(source)) {
    const answered = answerPath(path, current);
    if (answered !== null && (source.geo.displayAddress || !tellsAddress(path))) {
      values.set(answered, value);
    }
  }
  return values;
}

/** Whether the value at `path` of a source store is left out where its address is hidden. */
function tellsAddress(path: string): boolean {
  return path.startsWith('geo.') || /^reviews\.external\.(placeId|mapsUrl)$/.test(path);
}

function answerPath(path: string, current: Language): string | null {
  if (path === 'geo.displayAddress') return null;
  if (path === 'geo.rentalPoints') return null; // An empty list is answered with null.
  const place = path
    .replace(/^geo\.main\./, 'geo.location.')
    .replace(/^geo\.rentalPoints\./, 'geo.locations.');
  const last = place.slice(place.lastIndexOf('.') + 1);
  if (!isLanguage(last)) return place;
  return last === current ? place.slice(0, -last.length - 1) : null;
}
