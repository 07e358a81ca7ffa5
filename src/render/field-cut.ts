/**
 * Cuts the chosen values out of the JSON text of a field. Where they lie is known from the field's
 * frame (see `snapshot/frame-layout.ts`), so nothing is scanned or parsed, and the bytes that stay
 * are copied as they are.
 */
import type { FieldSelection } from '../model/field-paths.ts';
import { childNode, type FrameNode } from '../snapshot/frame-layout.ts';
import type { RecordReader } from '../snapshot/record-reader.ts';
import type { CutOrigin, StoreView } from './store-view.ts';

/** A piece of an answer, which is made of steps in their order. */
type Step =
  /** The same for every store: braces, keys, commas. */
  | { readonly kind: 'text'; readonly before: Uint8Array }
  /** A whole value. */
  | { readonly kind: 'value'; readonly before: Uint8Array; readonly node: FrameNode }
  | ObjectStep
  | ArrayStep;

/** An object that may be null. */
interface ObjectStep {
  readonly kind: 'object';
  /** Text before the value, such as its key; each kind of step has it. */
  readonly before: Uint8Array;
  readonly node: FrameNode;
  readonly steps: readonly Step[];
}

/** An array, every element cut alike; it may be null. */
interface ArrayStep {
  readonly kind: 'array';
  readonly before: Uint8Array;
  readonly node: FrameNode;
  /** What the first element is made of, after the bracket that opens the array. */
  readonly firstSteps: readonly Step[];
  /** What every other one is made of, after the end of the one before it. */
  readonly nextSteps: readonly Step[];
  /** Text after the last element. */
  readonly closing: Uint8Array;
}

const LETTER_N = 'n'.charCodeAt(0);

const EMPTY_ARRAY = asciiBytes('[]');

/** Appends the chosen values of the object at `origin`, or of the array in it. */
export function addCut(
  view: StoreView,
  steps: readonly Step[],
  { origin, frame, start }: CutOrigin,
): void {
  addSteps(view, steps, origin, frame, start);
}

/**
 * Returns the steps that write an object. Text after its last value is a step of its own.
 * @param opening text before it, such as its key
 */
export function objectSteps(
  nodes: readonly FrameNode[],
  selection: FieldSelection,
  opening = '',
): Step[] {
  const { steps, closing } = openSteps(nodes, selection, opening);
  return [...steps, { kind: 'text', before: asciiBytes(closing) }];
}

/** Returns the steps that write an object up to its last value, and the text after that. */
function openSteps(nodes: readonly FrameNode[], selection: FieldSelection, opening: string) {
  const steps: Step[] = [];
  /** Text that goes before the next value. */
  let text = opening;
  const takeText = () => {
    const bytes = asciiBytes(text);
    text = '';
    return bytes;
  };
  const addObject = (nodes: readonly FrameNode[], selection: FieldSelection) => {
    let separator = '{';
    for (const [key, below] of selection) {
      text += `${separator}"${key}":`;
      separator = ',';
      const node = childNode(nodes, key);
      if (below === null) steps.push({ kind: 'value', before: takeText(), node });
      else if (node.kind === 'array') steps.push(arrayStep(node, below, takeText()));
      else if (node.isNullable) {
        const inner = objectSteps(node.children, below);
        steps.push({ kind: 'object', before: takeText(), node, steps: inner });
      } else addObject(node.children, below);
    }
    text += '}';
  };
  addObject(nodes, selection);
  return { steps, closing: text };
}

/**
 * Returns the step that writes an array. What closes an element is joined to what opens the next
 * one, or ends the array: so an element of one value is one step.
 */
export function arrayStep(
  node: FrameNode,
  selection: FieldSelection,
  before: Uint8Array = new Uint8Array(),
): ArrayStep {
  const { steps, closing } = openSteps(node.children, selection, '');
  const [first, ...others] = steps as [Step, ...Step[]];
  const opening = String.fromCharCode(...first.before);
  const stepsAfter = (text: string) => [
    { ...first, before: asciiBytes(text + opening) },
    ...others,
  ];
  return {
    kind: 'array',
    before,
    node,
    firstSteps: stepsAfter('['),
    nextSteps: stepsAfter(`${closing},`),
    closing: asciiBytes(`${closing}]`),
  };
}

/** Returns the bytes of keys and punctuation. A call of the encoder costs more than this loop. */
function asciiBytes(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length);
  for (let index = 0; index < text.length; index++) bytes[index] = text.charCodeAt(index);
  return bytes;
}

/**
 * Appends what the steps make of an object.
 * @param start of the object whose frame begins at slot `frame`
 */
function addSteps(
  view: StoreView,
  steps: readonly Step[],
  origin: number,
  frame: number,
  start: number,
): void {
  const { record } = view;
  for (const step of steps) {
    if (step.kind === 'text') {
      view.segments.addBytes(step.before);
      continue;
    }
    const from = startOf(step.node, record, origin, frame, start);
    // A null is copied like any other value.
    if (step.kind === 'value' || record.chunk.bytes[from] === LETTER_N) {
      view.addTextAfter(step.before, from, endOf(step.node, record, origin, frame));
      continue;
    }
    view.segments.addBytes(step.before);
    // The values of an inner object have their slots in the same frame.
    if (step.kind === 'object') addSteps(view, step.steps, origin, frame, start);
    else addElements(view, step, origin, frame, from);
  }
}

/**
 * Appends what its steps make of each element of an array.
 * @param start of the array, which is not null and has its slots in the frame at slot `frame`
 */
function addElements(
  view: StoreView,
  { node, firstSteps, nextSteps, closing }: ArrayStep,
  origin: number,
  frame: number,
  start: number,
): void {
  const { record } = view;
  const count = record.slot(frame + node.endSlot + 1);
  if (count === 0) {
    view.segments.addBytes(EMPTY_ARRAY);
    return;
  }
  let element = record.slot(frame + node.endSlot + 2);
  const last = node.children.at(-1) as FrameNode;
  let elementStart = start + 1;
  for (let index = 0; index < count; index++) {
    const steps = index === 0 ? firstSteps : nextSteps;
    addSteps(view, steps, origin, element, elementStart);
    // An element ends with a brace, and the next one comes after a comma.
    elementStart = endOf(last, record, origin, element) + 2;
    element += node.elementSlots;
  }
  view.segments.addBytes(closing);
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
