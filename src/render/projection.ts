/** Cuts stores down to the `fields` that a request chose. */
import type { FieldSelection } from '../model/field-paths.ts';
import type { StoreField } from '../model/store.ts';
import { FIELD_FRAMES, type FrameLayout } from '../snapshot/frame-layout.ts';
import { BASE_FRAMES, LOCATION_NODE, LOCATIONS_NODE } from '../snapshot/record-layout.ts';
import { FIELD_NUMBER } from '../snapshot/record-reader.ts';
import { addCut, addSteps, cutOf } from './field-cut.ts';
import { type StoreView, VARYING_FIELDS } from './store-view.ts';

const encoder = new TextEncoder();
const OPEN = encoder.encode('{');
const COMMA = encoder.encode(',');
const CLOSE = encoder.encode('}');

/** Appends what was chosen of a store, without a separator before it. */
type AddField = (view: StoreView) => void;

/** Builds the function that appends the chosen fields of a store, in contract order. */
export function projectionOf(selection: FieldSelection): AddField {
  const fields = Array.from(selection, ([key, below]) => {
    const name = key as StoreField;
    return { name, add: below ? addParts(name, below) : addWholeField(name) };
  });
  return (view) => {
    let separator = OPEN;
    for (const { name, add } of fields) {
      if (!view.has(name)) continue;
      view.segments.addBytes(separator);
      separator = COMMA;
      add(view);
    }
    if (separator === OPEN) view.segments.addBytes(OPEN);
    view.segments.addBytes(CLOSE);
  };
}

function addWholeField(name: StoreField): AddField {
  if (VARYING_FIELDS.includes(name)) return (view) => view.addField(name);
  const number = FIELD_NUMBER[name];
  return (view) => {
    const { record } = view;
    view.addText(record.bound(number) + 1, record.bound(number + 1));
  };
}

/** Builds the function that appends parts of a field that is an object. */
function addParts(name: StoreField, below: FieldSelection): AddField {
  if (name === 'opening') {
    const keys = [...below.keys()];
    return (view) => view.addOpening(keys);
  }
  const cut = cutOf((FIELD_FRAMES[name] as FrameLayout).nodes, below, `"${name}":`);
  const number = FIELD_NUMBER[name];
  const frame = BASE_FRAMES.get(name) as number;
  const opening = `,"${name}":`.length;
  const addBase = (view: StoreView, some = cut) => {
    const origin = view.record.bound(number);
    addCut(view, some, origin, frame, origin + opening);
  };
  if (name === 'addressComponents') {
    return (view) => {
      const { record, location } = view;
      if (location === 0) return addBase(view);
      const origin = record.locationFieldStart(location, name);
      addCut(view, cut, origin, record.addressFrame(location), origin + opening);
    };
  }
  if (name !== 'geo' || !below.has('location')) return (view) => addBase(view);
  // The location is the first step. Any rental point may take its place.
  const queried = cut.steps.slice(0, 1);
  const others = { ...cut, steps: cut.steps.slice(1) };
  return (view) => {
    const { record, location } = view;
    if (location === 0) return addBase(view);
    const points = record.slot(frame + LOCATIONS_NODE.endSlot + 2);
    const point = points + (location - 1) * LOCATIONS_NODE.elementSlots;
    const start = record.rentalPointStart(location) - LOCATION_NODE.startDelta;
    addSteps(view, queried, record.bound(number), point, start);
    addBase(view, others);
  };
}
