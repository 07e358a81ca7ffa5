/** Stores cut down to the `fields` a request chose. */
import type { FieldSelection } from '../model/field-paths.ts';
import type { StoreField } from '../model/store.ts';
import { SegmentList } from './segment-list.ts';
import type { StoreView } from './store-view.ts';

const OPEN = new TextEncoder().encode('{');
const COMMA = new TextEncoder().encode(',');
const CLOSE = new TextEncoder().encode('}');

const decoder = new TextDecoder();
/** Holds one top-level field while it is parsed; empty between uses. */
const single = new SegmentList();

/**
 * Appends the chosen fields of the store that `view` shows. Whole top-level fields are copied;
 * only one that a path reaches inside of is parsed, alone.
 */
export function addSelection(
  segments: SegmentList,
  view: StoreView,
  selection: FieldSelection,
): void {
  let separator = OPEN;
  for (const [key, below] of selection) {
    const field = key as StoreField;
    if (!view.has(field)) continue;
    segments.addBytes(separator);
    separator = COMMA;
    if (below === null) view.addField(segments, field, 1);
    else segments.addText(`"${field}":${JSON.stringify(pick(parseField(view, field), below))}`);
  }
  if (separator === OPEN) segments.addBytes(OPEN);
  segments.addBytes(CLOSE);
}

function parseField(view: StoreView, field: StoreField): unknown {
  view.addField(single, field, 1);
  const text = decoder.decode(single.toBytes());
  return JSON.parse(text.slice(`"${field}":`.length));
}

/** The chosen keys of a value: each element of an array is cut alike, null stays null. */
function pick(value: unknown, selection: FieldSelection): unknown {
  if (Array.isArray(value)) return value.map((element) => pick(element, selection));
  if (typeof value !== 'object' || value === null) return value;
  const source = value as Record<string, unknown>;
  const picked: Record<string, unknown> = {};
  for (const [key, below] of selection) {
    if (!(key in source)) continue;
    picked[key] = below === null ? source[key] : pick(source[key], below);
  }
  return picked;
}
