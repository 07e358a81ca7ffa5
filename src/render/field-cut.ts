/**
 * Cuts the chosen values out of the JSON text of a field. Where they lie is known from the field's
 * frame (see `snapshot/frame-layout.ts`), so nothing is scanned or parsed, and the bytes that stay
 * are copied as they are.
 */
import type { FieldSelection } from '../model/field-paths.ts';
import { childNode, type FrameNode } from '../snapshot/frame-layout.ts';
import type { RecordReader } from '../snapshot/record-reader.ts';
import type { StoreView } from './store-view.ts';

/** Writes the chosen values of an object, or of the first element of an array. */
export interface Cut {
  readonly steps: readonly Step[];
  /** Text after the last value, to the end of the object or array. */
  readonly closing: string;
}

/** Writes a value, and the text before it. */
interface Step {
  /** Braces, keys, commas. */
  readonly before: Uint8Array;
  readonly node: FrameNode;
  /** Null: the whole value is copied. */
  readonly cut: Cut | null;
  /** Of an array: the steps of every element but the first, which close the one before it. */
  readonly nextSteps: readonly Step[];
}

const LETTER_N = 'n'.charCodeAt(0);

/** Returns what writes an object. @param opening text before it, such as its key */
export function cutOf(
  nodes: readonly FrameNode[],
  selection: FieldSelection,
  opening: string,
): Cut {
  const steps: Step[] = [];
  /** Text that goes before the next value. */
  let text = opening;
  const addObject = (nodes: readonly FrameNode[], selection: FieldSelection) => {
    let separator = '{';
    for (const [key, below] of selection) {
      text += `${separator}"${key}":`;
      separator = ',';
      const node = childNode(nodes, key);
      if (below && node.kind === 'object' && !node.isNullable) {
        addObject(node.children, below);
        continue;
      }
      steps.push(stepOf(node, below, asciiBytes(text)));
      text = '';
    }
    text += '}';
  };
  addObject(nodes, selection);
  return { steps, closing: text };
}

function stepOf(node: FrameNode, below: FieldSelection | null, before: Uint8Array): Step {
  if (below === null) return { before, node, cut: null, nextSteps: [] };
  const cutAfter = (opening: string) => cutOf(node.children, below, opening);
  if (node.kind === 'object') return { before, node, cut: cutAfter(''), nextSteps: [] };
  const { steps, closing } = cutAfter('[');
  const { steps: nextSteps } = cutAfter(`${closing},`);
  return { before, node, cut: { steps, closing: `${closing}]` }, nextSteps };
}

/** Returns the bytes of keys and punctuation. A call of the encoder costs more than this loop. */
function asciiBytes(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length);
  for (let index = 0; index < text.length; index++) bytes[index] = text.charCodeAt(index);
  return bytes;
}

/**
 * Appends the chosen values of an object.
 * @param origin start of the field's text, from which slots count
 * @param frame first slot of the object's frame
 * @param start of the object; like `origin` in bytes from the start of the chunk
 */
export function addCut(
  view: StoreView,
  { steps, closing }: Cut,
  origin: number,
  frame: number,
  start: number,
): void {
  addSteps(view, steps, origin, frame, start);
  view.segments.addAscii(closing);
}

/** As `addCut`, up to the last value. */
export function addSteps(
  view: StoreView,
  steps: readonly Step[],
  origin: number,
  frame: number,
  start: number,
): void {
  const { record } = view;
  for (const step of steps) {
    const { before, node, cut } = step;
    const from = startOf(node, record, origin, frame, start);
    // A null is copied like any other value.
    if (cut === null || record.chunk.bytes[from] === LETTER_N) {
      view.addTextAfter(before, from, endOf(node, record, origin, frame));
      continue;
    }
    view.segments.addBytes(before);
    // The values of an inner object have their slots in the same frame.
    if (node.kind === 'object') addCut(view, cut, origin, frame, start);
    else addElements(view, node, cut, step.nextSteps, origin, frame, from);
  }
}

/** Appends the chosen values of each element of an array, which is not null. */
function addElements(
  view: StoreView,
  node: FrameNode,
  { steps, closing }: Cut,
  nextSteps: readonly Step[],
  origin: number,
  frame: number,
  start: number,
): void {
  const { record, segments } = view;
  const count = record.slot(frame + node.endSlot + 1);
  let element = record.slot(frame + node.endSlot + 2);
  const last = node.children.at(-1) as FrameNode;
  let elementStart = start + 1;
  for (let index = 0; index < count; index++) {
    addSteps(view, index === 0 ? steps : nextSteps, origin, element, elementStart);
    // An element ends with a brace, and the next one comes after a comma.
    elementStart = endOf(last, record, origin, element) + 2;
    element += node.elementSlots;
  }
  segments.addAscii(count === 0 ? '[]' : closing);
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
