/** Cuts stores down to the `fields` that a request chose. */
import type { FieldSelection } from '../model/field-paths.ts';
import type { StoreField } from '../model/store.ts';
import { FIELD_FRAMES, type FrameLayout } from '../snapshot/frame-layout.ts';
import { LOCATIONS_NODE } from '../snapshot/record-layout.ts';
import { FIELD_NUMBER } from '../snapshot/record-reader.ts';
import { addCut, arrayStep, objectSteps } from './field-cut.ts';
import { objectField, type StoreView, VARYING_FIELDS } from './store-view.ts';

const encoder = new TextEncoder();
const OPEN = encoder.encode('{');
const COMMA = encoder.encode(',');
const CLOSE = encoder.encode('}');

const GEO = objectField('geo');

/** Appends what was chosen of a store, without a separator before it. */
type AddField = (view: StoreView) => void;

/** Builds the function that appends the chosen fields of a store, in contract order. */
export function projectionOf(selection: FieldSelection): AddField {
  const fields = Array.from(selection, ([key, below]) => {
    const name = key as StoreField;
    return { name, add: addField(name, below) };
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

function addField(name: StoreField, below: FieldSelection | null): AddField {
  if (below === null) return addWholeField(name);
  if (name === 'geo') return addGeo(below);
  const { nodes } = FIELD_FRAMES[name] as FrameLayout;
  const steps = objectSteps(nodes, below, `"${name}":`);
  if (name === 'addressComponents') return (view) => addCut(view, steps, view.originOfAddress());
  const field = objectField(name);
  return (view) => addCut(view, steps, view.originOf(field));
}

function addWholeField(name: StoreField): AddField {
  if (VARYING_FIELDS.includes(name)) return (view) => view.addField(name);
  const number = FIELD_NUMBER[name];
  return (view) => {
    const { record } = view;
    view.addText(record.bound(number) + 1, record.bound(number + 1));
  };
}

/**
 * Builds the function that appends parts of `geo`. The queried location has a cut of its own: it
 * may be any of the store's locations.
 */
function addGeo(selection: FieldSelection): AddField {
  const parts = Array.from(selection, ([key, below], index) => {
    const opening = encoder.encode(`${index === 0 ? '"geo":{' : ','}"${key}":`);
    return key === 'location' ? addLocation(opening, below) : addLocations(opening, below);
  });
  return (view) => {
    for (const add of parts) add(view);
    view.segments.addBytes(CLOSE);
  };
}

function addLocation(opening: Uint8Array, below: FieldSelection | null): AddField {
  const steps = below && objectSteps(LOCATIONS_NODE.children, below);
  return (view) => {
    view.segments.addBytes(opening);
    if (steps === null || view.isHidden) view.addQueriedLocation();
    else addCut(view, steps, view.originOfLocation());
  };
}

function addLocations(opening: Uint8Array, below: FieldSelection | null): AddField {
  const steps = below && [arrayStep(LOCATIONS_NODE, below)];
  return (view) => {
    view.segments.addBytes(opening);
    if (steps === null || view.isHidden) view.addLocations();
    else addCut(view, steps, view.originOf(GEO));
  };
}
