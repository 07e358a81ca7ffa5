/**
 * Cuts stores down to the `fields` that a request chose. Where the values inside a field lie is known
 * from its frame (see `snapshot/frame-layout.ts`), so nothing is scanned or parsed, and the bytes that
 * stay are copied as they are.
 */
import type { FieldSelection } from '../model/field-paths.ts';
import { isRequested, type StoreField } from '../model/store.ts';
import {
  childNode,
  FIELD_FRAMES,
  type FrameLayout,
  type FrameNode,
} from '../snapshot/frame-layout.ts';
import {
  BASE_FRAMES,
  FIELD_NUMBER,
  LOCATION_NODE,
  LOCATIONS_NODE,
  type RecordReader,
} from '../snapshot/record.ts';
import { type StoreView, VARYING_FIELDS } from './store-view.ts';

/** Appends what was chosen of a store, without a separator before it. */
type AddField = (view: StoreView) => void;

/** Builds the function that appends the chosen fields of a store, in contract order. */
export function projectionOf(selection: FieldSelection): AddField {
  const fields = Array.from(selection, ([key, below]) => {
    const name = key as StoreField;
    return { name, add: below ? addParts(name, below) : addWholeField(name) };
  });
  return (view) => {
    let separator = '{';
    for (const { name, add } of fields) {
      if (!view.has(name)) continue;
      view.buffer.addAscii(separator);
      separator = ',';
      add(view);
    }
    view.buffer.addAscii(separator === '{' ? '{}' : '}');
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
  if (isRequested(name)) {
    const keys = [...below.keys()];
    return (view) => view.addRequested(name, keys);
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
  const queried = { steps: cut.steps.slice(0, 1), closing: '' };
  const others = { ...cut, steps: cut.steps.slice(1) };
  return (view) => {
    const { record, location } = view;
    if (location === 0) return addBase(view);
    const points = record.slot(frame + LOCATIONS_NODE.endSlot + 2);
    const point = points + (location - 1) * LOCATIONS_NODE.elementSlots;
    const start = record.rentalPointStart(location) - LOCATION_NODE.startDelta;
    addCut(view, queried, record.bound(number), point, start);
    addBase(view, others);
  };
}

/** Writes the chosen values of an object, or of an element of an array. */
interface Cut {
  readonly steps: readonly Step[];
  /** Text after the last value, to the end of the object. */
  readonly closing: string;
}

/** Writes a value, and the text before it. */
interface Step {
  /** Braces, keys, commas. */
  readonly before: string;
  readonly node: FrameNode;
  /** Null: the whole value is copied. */
  readonly cut: Cut | null;
}

const LETTER_N = 'n'.charCodeAt(0);

/** Returns what writes an object. @param opening text before it, such as its key */
function cutOf(nodes: readonly FrameNode[], selection: FieldSelection, opening: string): Cut {
  const steps: Step[] = [];
  /** Text that goes before the next value. */
  let before = opening;
  const addObject = (nodes: readonly FrameNode[], selection: FieldSelection) => {
    let separator = '{';
    for (const [key, below] of selection) {
      before += `${separator}"${key}":`;
      separator = ',';
      const node = childNode(nodes, key);
      if (below && node.kind === 'object' && !node.isNullable) {
        addObject(node.children, below);
        continue;
      }
      steps.push({ before, node, cut: below && cutOf(node.children, below, '') });
      before = '';
    }
    before += '}';
  };
  addObject(nodes, selection);
  return { steps, closing: before };
}

/**
 * Appends the chosen values of an object.
 * @param origin start of the field's text, from which slots count
 * @param frame first slot of the object's frame
 * @param start of the object; like `origin` in bytes from the start of the chunk
 */
function addCut(
  view: StoreView,
  { steps, closing }: Cut,
  origin: number,
  frame: number,
  start: number,
): void {
  const { record, buffer } = view;
  for (const { before, node, cut } of steps) {
    const from = startOf(node, record, origin, frame, start);
    buffer.addAscii(before);
    // A null is copied like any other value.
    if (cut === null || record.chunk.bytes[from] === LETTER_N) {
      view.addText(from, endOf(node, record, origin, frame));
    }
    // The values of an inner object have their slots in the same frame.
    else if (node.kind === 'object') addCut(view, cut, origin, frame, start);
    else addElements(view, node, cut, origin, frame, from);
  }
  buffer.addAscii(closing);
}

/** Appends the chosen values of each element of an array, which is not null. */
function addElements(
  view: StoreView,
  node: FrameNode,
  cut: Cut,
  origin: number,
  frame: number,
  start: number,
): void {
  const { record, buffer } = view;
  const count = record.slot(frame + node.endSlot + 1);
  let element = record.slot(frame + node.endSlot + 2);
  const last = node.children.at(-1) as FrameNode;
  let elementStart = start + 1;
  buffer.addAscii('[');
  for (let index = 0; index < count; index++) {
    if (index > 0) buffer.addAscii(',');
    addCut(view, cut, origin, element, elementStart);
    // An element ends with a brace, and the next one comes after a comma.
    elementStart = endOf(last, record, origin, element) + 2;
    element += node.elementSlots;
  }
  buffer.addAscii(']');
}

function startOf(
  { startSlot, startDelta }: FrameNode,
  record: RecordReader,
  origin: number,
  frame: number,
  start: number,
): number {
  const before = startSlot < 0 ? start : origin + record.slot(frame + startSlot);
  return before + startDelta;
}

function endOf(
  { endSlot, endDelta }: FrameNode,
  record: RecordReader,
  origin: number,
  frame: number,
): number {
  return origin + record.slot(frame + endSlot) + endDelta;
}
