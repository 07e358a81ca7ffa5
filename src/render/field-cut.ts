/**
 * Cuts the chosen values out of the JSON text of a field. Where they lie is known from the field's
 * frame (see `snapshot/frame-layout.ts`), so nothing is scanned or parsed, and the bytes that stay
 * are copied as they are.
 */
import type { FieldSelection } from '../model/field-paths.ts';
import { childNode, type FrameNode } from '../snapshot/frame-layout.ts';
import type { RecordReader } from '../snapshot/record-reader.ts';
import type { SegmentList } from './segment-list.ts';

/** What an answer is put together of, in order. */
type Step =
  /** The same for every store: braces, keys, commas. */
  | { readonly kind: 'text'; readonly bytes: Uint8Array }
  /** A whole value. */
  | { readonly kind: 'value'; readonly node: FrameNode }
  /** An object that may be null. */
  | { readonly kind: 'object'; readonly node: FrameNode; readonly steps: readonly Step[] }
  | ArrayStep;

/** An array, every element cut alike; it may be null. */
interface ArrayStep {
  readonly kind: 'array';
  readonly node: FrameNode;
  /** Text before the first element, between two of them, and after the last. */
  readonly opening: Uint8Array;
  readonly between: Uint8Array;
  readonly closing: Uint8Array;
  /** What is between the texts that begin and end an element. */
  readonly steps: readonly Step[];
}

/** A record to cut from, in one language. */
export interface CutSource {
  readonly record: RecordReader;
  /** Appends text of the record, its values replaced by those of the language. */
  addText(segments: SegmentList, start: number, end: number): void;
}

/** Where a cut is made: in one object of one text. */
export interface CutPlace {
  /** Start of the field's text, from which slots count, in bytes from the start of the chunk. */
  origin: number;
  /** First slot of the object's frame. */
  frame: number;
  /** Where the object starts, in bytes from the start of the chunk. */
  start: number;
}

const LETTER_N = 'n'.charCodeAt(0);

const encoder = new TextEncoder();
const EMPTY_ARRAY = encoder.encode('[]');
const NULL = encoder.encode('null');

/** Adds `null`. */
export function addNull(segments: SegmentList): void {
  segments.addBytes(NULL);
}

/** A selection of an object's values, prepared to be cut out of many texts. */
export class ObjectCut {
  private readonly steps: readonly Step[];

  /**
   * @param nodes the values of the object
   * @param opening text before the object, such as its key
   */
  constructor(nodes: readonly FrameNode[], selection: FieldSelection, opening = '') {
    this.steps = new StepList(opening).addObject(nodes, selection).finish();
  }

  /** Appends the chosen values of the object at `place`. */
  addTo(segments: SegmentList, source: CutSource, place: CutPlace): void {
    addSteps(segments, source, this.steps, place.origin, place.frame, place.start);
  }
}

/** A selection of the values of each element of an array, prepared likewise. */
export class ArrayCut {
  private readonly step: ArrayStep;

  constructor(node: FrameNode, selection: FieldSelection) {
    this.step = arrayStep(node, selection);
  }

  /** Appends the array, which is a value of the object at `place`. */
  addTo(segments: SegmentList, source: CutSource, place: CutPlace): void {
    addArray(segments, source, this.step, place.origin, place.frame, place.start);
  }
}

/** Steps under construction: texts that follow each other become one. */
class StepList {
  private readonly steps: Step[] = [];
  private text: string;

  constructor(opening = '') {
    this.text = opening;
  }

  addObject(nodes: readonly FrameNode[], selection: FieldSelection): this {
    let separator = '{';
    for (const [key, below] of selection) {
      this.text += `${separator}"${key}":`;
      separator = ',';
      this.addValue(childNode(nodes, key), below);
    }
    this.text += '}';
    return this;
  }

  finish(): readonly Step[] {
    this.endText();
    return this.steps;
  }

  private addValue(node: FrameNode, below: FieldSelection | null): void {
    if (below === null) this.add({ kind: 'value', node });
    else if (node.kind === 'array') this.add(arrayStep(node, below));
    else if (node.isNullable) {
      const steps = new StepList().addObject(node.children, below).finish();
      this.add({ kind: 'object', node, steps });
    } else this.addObject(node.children, below);
  }

  private add(step: Step): void {
    this.endText();
    this.steps.push(step);
  }

  private endText(): void {
    if (this.text !== '') this.steps.push({ kind: 'text', bytes: encoder.encode(this.text) });
    this.text = '';
  }
}

/** The texts around the elements become one, so that an element costs one text and its values. */
function arrayStep(node: FrameNode, selection: FieldSelection): ArrayStep {
  const steps = new StepList().addObject(node.children, selection).finish();
  // An object begins with the text of its brace and first key, and ends with that of its brace.
  const begin = textOf(steps[0]);
  const end = textOf(steps.at(-1));
  return {
    kind: 'array',
    node,
    opening: encoder.encode(`[${begin}`),
    between: encoder.encode(`${end},${begin}`),
    closing: encoder.encode(`${end}]`),
    steps: steps.slice(1, -1),
  };
}

function textOf(step: Step | undefined): string {
  if (step?.kind !== 'text') throw new Error('an object begins and ends with text');
  return new TextDecoder().decode(step.bytes);
}

/** @param start of the object whose frame begins at slot `frame` */
function addSteps(
  segments: SegmentList,
  source: CutSource,
  steps: readonly Step[],
  origin: number,
  frame: number,
  start: number,
): void {
  const { record } = source;
  for (const step of steps) {
    if (step.kind === 'text') segments.addBytes(step.bytes);
    else if (step.kind === 'array') addArray(segments, source, step, origin, frame, start);
    else {
      const from = startOf(step.node, record, origin, frame, start);
      if (step.kind === 'object' && record.chunk.bytes[from] !== LETTER_N) {
        // The values of an inner object have their slots in the same frame.
        addSteps(segments, source, step.steps, origin, frame, start);
      } else source.addText(segments, from, endOf(step.node, record, origin, frame));
    }
  }
}

function addArray(
  segments: SegmentList,
  source: CutSource,
  { node, opening, between, closing, steps }: ArrayStep,
  origin: number,
  frame: number,
  start: number,
): void {
  const { record } = source;
  const from = startOf(node, record, origin, frame, start);
  if (record.chunk.bytes[from] === LETTER_N) {
    addNull(segments);
    return;
  }
  const count = record.slot(frame + node.endSlot + 1);
  if (count === 0) {
    segments.addBytes(EMPTY_ARRAY);
    return;
  }
  let element = record.slot(frame + node.endSlot + 2);
  const last = node.children.at(-1) as FrameNode;
  let elementStart = from + 1;
  for (let index = 0; index < count; index++) {
    segments.addBytes(index === 0 ? opening : between);
    addSteps(segments, source, steps, origin, element, elementStart);
    // An element ends with a brace, and the next one comes after a comma.
    elementStart = endOf(last, record, origin, element) + 2;
    element += node.elementSlots;
  }
  segments.addBytes(closing);
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
