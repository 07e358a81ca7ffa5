/**
 * The texts of a record as bytes. A field is written value by value, so that it is known where each of
 * its values lies (see `snapshot/frame-layout.ts`).
 */
import type { StoreField } from '../../src/model/store.ts';
import {
  childNode,
  FIELD_FRAMES,
  type FrameLayout,
  type FrameNode,
} from '../../src/snapshot/frame-layout.ts';
import { LOCATIONS_NODE } from '../../src/snapshot/record-layout.ts';

const encoder = new TextEncoder();

const LOCATION_NODE = nodeAt('geo', 'location');

/** The texts that depend on the language, as `deriveStore` reads them. */
const LOCALIZED_NODES: ReadonlySet<FrameNode> = new Set([
  nodeAt('profile', 'description'),
  nodeAt('localization', 'current'),
  nodeAt('geo', 'location', 'name'),
  nodeAt('geo', 'locations', 'name'),
  nodeAt('pricing', 'tax', 'name'),
  nodeAt('booking', 'fixedDurations', 'durations', 'label'),
]);

export type Range = readonly [start: number, end: number];

type Json = Readonly<Record<string, unknown>>;

/** Texts are written one after another into a buffer that is reused from record to record. */
export class RecordText {
  /** The frames of the fields that were written. */
  slots: number[] = [];
  /** Where the texts that depend on the language lie, in the order in which they stand. */
  localized: Range[] = [];
  /** Where the locations of `geo` lie, the main one first; none for a hidden address. */
  locations: Range[] = [];
  /** Where the next text will lie; what lies behind it is forgotten. */
  end = 0;
  private buffer = new Uint8Array(64 * 1024);
  /** Start of the field that is being written: ends count from here. */
  private origin = 0;

  /** Forgets all, for the next record. */
  clear(): void {
    this.slots = [];
    this.localized = [];
    this.locations = [];
    this.end = 0;
  }

  /** Appends `text` as UTF-8 and returns where it lies. */
  append(text: string): Range {
    // A UTF-16 code unit takes three bytes of UTF-8 at the most.
    this.makeRoom(3 * text.length);
    const start = this.end;
    this.end += encoder.encodeInto(text, this.buffer.subarray(start)).written;
    return [start, this.end];
  }

  /** The bytes so far, valid until the next change. */
  get bytes(): Uint8Array {
    return this.buffer.subarray(0, this.end);
  }

  /** Makes room for a frame, or for several, and returns its first slot. */
  reserve(count: number): number {
    const first = this.slots.length;
    for (let slot = 0; slot < count; slot++) this.slots.push(0);
    return first;
  }

  /**
   * Appends a field with the character before it; the first one opens the store.
   * @param frame first slot of its frame, if it is an object
   * @throws Error when it lacks a value that its schema names
   */
  appendField(field: StoreField, value: unknown, frame: number): void {
    this.origin = this.end;
    const opening = `${field === 'id' ? '{' : ','}"${field}":`;
    const layout = FIELD_FRAMES[field];
    if (layout) this.appendObject(opening, value as Json, layout.nodes, frame);
    else this.append(opening + JSON.stringify(value));
  }

  /** @param opening what stands before the object; returns where this lies */
  private appendObject(
    opening: string,
    value: Json,
    nodes: readonly FrameNode[],
    frame: number,
  ): Range {
    const start = this.end + opening.length;
    let before = `${opening}{`;
    for (const node of nodes) {
      this.appendValue(`${before}"${node.key}":`, value[node.key], node, frame);
      before = ',';
    }
    return [start, this.append('}')[1]];
  }

  private appendValue(opening: string, value: unknown, node: FrameNode, frame: number): void {
    // It would be written as it is, and JSON has no undefined.
    if (value === undefined) throw new Error(`a store lacks the field "${node.key}"`);
    if (node.kind === 'value' || value === null) {
      const [start, end] = this.append(opening + JSON.stringify(value));
      if (LOCALIZED_NODES.has(node)) this.localized.push([start + opening.length, end]);
      if (node.kind === 'object') this.fill(node, frame, end - this.origin - node.endDelta);
      else this.slots[frame + node.endSlot] = end - this.origin;
    } else if (node.kind === 'object') {
      const range = this.appendObject(opening, value as Json, node.children, frame);
      if (node === LOCATION_NODE) this.locations.push(range);
    } else this.appendElements(opening, value as readonly Json[], node, frame);
  }

  private appendElements(
    opening: string,
    elements: readonly Json[],
    node: FrameNode,
    frame: number,
  ): void {
    const first = this.reserve(elements.length * node.elementSlots);
    let before = `${opening}[`;
    elements.forEach((element, index) => {
      const elementFrame = first + index * node.elementSlots;
      const range = this.appendObject(before, element, node.children, elementFrame);
      if (node === LOCATIONS_NODE) this.locations.push(range);
      before = ',';
    });
    const [, end] = this.append(elements.length > 0 ? ']' : `${before}]`);
    this.slots[frame + node.endSlot] = end - this.origin;
    this.slots[frame + node.endSlot + 1] = elements.length;
    this.slots[frame + node.endSlot + 2] = first;
  }

  /** Gives every value of an object that is null the end from which the object's own follows. */
  private fill({ children }: FrameNode, frame: number, end: number): void {
    for (const child of children) {
      if (child.kind === 'object') this.fill(child, frame, end);
      else this.slots[frame + child.endSlot] = end;
    }
  }

  private makeRoom(count: number): void {
    const needed = this.end + count;
    if (needed <= this.buffer.length) return;
    const larger = new Uint8Array(Math.max(needed, 2 * this.buffer.length));
    larger.set(this.bytes);
    this.buffer = larger;
  }
}

/** The node at the end of a path through objects and elements of arrays. */
function nodeAt(field: StoreField, key: string, ...below: readonly string[]): FrameNode {
  const node = childNode((FIELD_FRAMES[field] as FrameLayout).nodes, key);
  return below.reduce(({ children }, each) => childNode(children, each), node);
}
