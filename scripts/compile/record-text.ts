/**
 * The texts of the one record under construction as bytes, one after another in a buffer that is reused
 * from record to record. A field is written value by value, so that it is known where each of its values
 * lies (see `snapshot/frame-layout.ts`).
 */
import type { StoreField } from '../../src/model/store.ts';
import { FIELD_FRAMES, type FrameNode } from '../../src/snapshot/frame-layout.ts';
import { LOCATION_NODE, LOCATIONS_NODE } from '../../src/snapshot/record.ts';
import type { LocalizedText } from './source-store.ts';

const encoder = new TextEncoder();

/** A value that depends on the language: it is written as its text in the language of the base text. */
export class LocalizedValue {
  readonly source: LocalizedText;
  private readonly text: string;

  constructor(source: LocalizedText, text: string) {
    this.source = source;
    this.text = text;
  }

  toJSON(): string {
    return this.text;
  }
}

export type Range = readonly [start: number, end: number];

type Json = Readonly<Record<string, unknown>>;

/** The frames of the fields that were written. */
export let slots: number[] = [];
/** What depends on the language, and where it lies, in the order in which it stands. */
export let localized: { readonly source: LocalizedText; readonly range: Range }[] = [];
/** Where the locations of `geo` lie, the main one first; none for a hidden address. */
export let locations: Range[] = [];
/** Where the next text will lie. */
export let end = 0;
let buffer = new Uint8Array(64 * 1024);
/** Start of the field that is being written: ends count from here. */
let origin = 0;

/** Forgets all, for the next record. */
export function clear(): void {
  slots = [];
  localized = [];
  locations = [];
  end = 0;
}

/** Appends `text` as UTF-8 and returns where it lies. */
export function append(text: string): Range {
  // A UTF-16 code unit takes three bytes of UTF-8 at the most.
  makeRoom(3 * text.length);
  const start = end;
  end += encoder.encodeInto(text, buffer.subarray(start)).written;
  return [start, end];
}

/** Forgets the text from `position` on. */
export function cutAt(position: number): void {
  end = position;
}

/** Returns the bytes so far, valid until the next change. */
export function bytes(): Uint8Array {
  return buffer.subarray(0, end);
}

/** Makes room for a frame, or for several, and returns its first slot. */
export function reserve(count: number): number {
  const first = slots.length;
  for (let slot = 0; slot < count; slot++) slots.push(0);
  return first;
}

/**
 * Appends a field with the character before it; the first one opens the store.
 * @param frame first slot of its frame, if it is an object
 * @throws Error when it lacks a value that its schema names
 */
export function appendField(field: StoreField, value: unknown, frame: number): void {
  origin = end;
  const opening = `${field === 'id' ? '{' : ','}"${field}":`;
  const layout = FIELD_FRAMES[field];
  if (layout) appendObject(opening, value as Json, layout.nodes, frame);
  else append(opening + JSON.stringify(value));
}

/** Appends an object. Returns where it lies. @param opening text before it */
function appendObject(
  opening: string,
  value: Json,
  nodes: readonly FrameNode[],
  frame: number,
): Range {
  const start = end + opening.length;
  let before = `${opening}{`;
  for (const node of nodes) {
    appendValue(`${before}"${node.key}":`, value[node.key], node, frame);
    before = ',';
  }
  return [start, append('}')[1]];
}

function appendValue(opening: string, value: unknown, node: FrameNode, frame: number): void {
  // It would be written as it is, and JSON has no undefined.
  if (value === undefined) throw new Error(`a store lacks the field "${node.key}"`);
  if (node.kind === 'value' || value === null) {
    const [start, valueEnd] = append(opening + JSON.stringify(value));
    if (value instanceof LocalizedValue) {
      localized.push({ source: value.source, range: [start + opening.length, valueEnd] });
    }
    if (node.kind === 'object') fill(node, frame, end - origin - node.endDelta);
    else slots[frame + node.endSlot] = end - origin;
  } else if (node.kind === 'object') {
    const range = appendObject(opening, value as Json, node.children, frame);
    if (node === LOCATION_NODE) locations.push(range);
  } else appendElements(opening, value as readonly Json[], node, frame);
}

function appendElements(
  opening: string,
  elements: readonly Json[],
  node: FrameNode,
  frame: number,
): void {
  const first = reserve(elements.length * node.elementSlots);
  let before = `${opening}[`;
  elements.forEach((element, index) => {
    const elementFrame = first + index * node.elementSlots;
    const range = appendObject(before, element, node.children, elementFrame);
    if (node === LOCATIONS_NODE) locations.push(range);
    before = ',';
  });
  append(elements.length > 0 ? ']' : `${before}]`);
  slots[frame + node.endSlot] = end - origin;
  slots[frame + node.endSlot + 1] = elements.length;
  slots[frame + node.endSlot + 2] = first;
}

/** Gives every value of an object that is null the end from which the object's own follows. */
function fill({ children }: FrameNode, frame: number, valueEnd: number): void {
  for (const child of children) {
    if (child.kind === 'object') fill(child, frame, valueEnd);
    else slots[frame + child.endSlot] = valueEnd;
  }
}

function makeRoom(count: number): void {
  const needed = end + count;
  if (needed <= buffer.length) return;
  const larger = new Uint8Array(Math.max(needed, 2 * buffer.length));
  larger.set(bytes());
  buffer = larger;
}
