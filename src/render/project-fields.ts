/** Stores cut down to the `fields` a request chose. */
import type { FieldSelection } from '../model/field-paths.ts';
import type { StoreField } from '../model/store.ts';
import { addCut, type Cut, cutOf } from './json-cut.ts';
import { SegmentList } from './segment-list.ts';
import type { StoreView } from './store-view.ts';

const OPEN = new TextEncoder().encode('{');
const COMMA = new TextEncoder().encode(',');
const CLOSE = new TextEncoder().encode('}');

/** Holds one top-level field whose text lies in pieces; empty between uses. */
const pieces = new SegmentList();

/** A selection made ready to be applied to many stores. */
export class Projection {
  private readonly fields: readonly { readonly name: StoreField; readonly cut: Cut | null }[];

  constructor(selection: FieldSelection) {
    this.fields = [...selection].map(([name, below]) => ({
      name: name as StoreField,
      cut: below && cutOf(below),
    }));
  }

  /** Appends the chosen fields of the store that `view` shows, in contract order. */
  addTo(segments: SegmentList, view: StoreView): void {
    let separator = OPEN;
    for (const { name, cut } of this.fields) {
      if (!view.has(name)) continue;
      segments.addBytes(separator);
      separator = COMMA;
      if (cut === null) view.addField(segments, name, 1);
      else addCutField(segments, view, name, cut);
    }
    if (separator === OPEN) segments.addBytes(OPEN);
    segments.addBytes(CLOSE);
  }
}

function addCutField(segments: SegmentList, view: StoreView, name: StoreField, cut: Cut): void {
  const opening = `"${name}":`.length;
  view.addField(pieces, name, 1);
  const { source, start } = pieces.takeWhole();
  segments.add(source, start, start + opening);
  addCut(segments, source, start + opening, cut);
}
