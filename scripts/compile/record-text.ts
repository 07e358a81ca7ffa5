/**
 * The texts of one record as bytes, one after another. A field is written value by value, so that it is known where
 * each of its values lies (see `snapshot/frame-layout.ts`).
 */
import type { Store, StoreField } from '../../src/model/store.ts';
import { FIELD_FRAMES, type FrameNode } from '../../src/snapshot/frame-layout.ts';
import { LOCATION_NODE, LOCATIONS_NODE } from '../../src/snapshot/record.ts';
import type { LocalizedText } from './source-store.ts';

const encoder = new TextEncoder();

export type Range = readonly [start: number, end: number];

type Json = Readonly<Record<string, unknown>>;

/** Stands for a text that depends on the language until `RecordText` writes it. */
export class LocalizedValue {
  readonly source: LocalizedText;
  /** In the language of the base text. */
  readonly text: string;

  constructor(source: LocalizedText, text: string) {
    this.source = source;
    this.text = text;
  }

  /** Refuses to be written outside of frames, where it would not be known where it lies. */
  toJSON(): never {
    throw new Error(`"${this.text}" depends on the language, and is no value of a frame`);
  }
}

/** The text of the record under construction. It is cleared and used again: new memory for each record takes time. */
export class RecordText {
  /** The frames of the fields that were written. */
  slots: number[] = [];
  /** What depends on the language, and where it lies, in the order in which it stands. */
  localized: { readonly source: LocalizedText; readonly range: Range }[] = [];
  /** Where the locations of `geo` lie, the main one first; none for a hidden address. */
  locations: Range[] = [];
  /** Where the next text will lie. */
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
    const start = this.end;
    // A UTF-16 code unit takes three bytes of UTF-8 at the most.
    const needed = start + 3 * text.length;
    if (needed > this.buffer.length) {
      const larger = new Uint8Array(2 * needed);
      larger.set(this.bytes());
      this.buffer = larger;
    }
    this.end += encoder.encodeInto(text, this.buffer.subarray(start)).written;
    return [start, this.end];
  }

  /** Returns the bytes so far, valid until the next change. */
  bytes(): Uint8Array {
    return this.buffer.subarray(0, this.end);
  }

  /** Makes room for a frame, or for several, and returns its first slot. */
  reserve(count: number): number {
    const first = this.slots.length;
    for (let slot = 0; slot < count; slot++) this.slots.push(0);
    return first;
  }

  /**
   * Appends the fields, out of `fields`, that a store has; returns where the first starts, and where each ends.
   * @param frames first slot of the frame of each field that is an object
   * @throws Error when a field lacks a value that its schema names
   */
  appendFields(
    fields: readonly StoreField[],
    store: Partial<Store>,
    frames: ReadonlyMap<StoreField, number>,
  ): number[] {
    const bounds = [this.end];
    for (const field of fields) {
      const value = store[field];
      // The first one opens the store.
      const opening = `${field === 'id' ? '{' : ','}"${field}":`;
      const layout = FIELD_FRAMES[field];
      this.origin = this.end;
      if (layout && value !== undefined) {
        this.appendObject(opening, value as Json, layout.nodes, frames.get(field) ?? 0);
      } else if (value !== undefined) this.append(opening + JSON.stringify(value));
      bounds.push(this.end);
    }
    return bounds;
  }

  /** Appends an object. Returns where it lies. @param opening text before it */
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
      const isLocalized = value instanceof LocalizedValue;
      const [start, end] = this.append(opening + JSON.stringify(isLocalized ? value.text : value));
      if (isLocalized) {
        this.localized.push({ source: value.source, range: [start + opening.length, end] });
      }
      this.writeEnd(node, frame, end - this.origin - node.endDelta);
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
    this.append(elements.length > 0 ? ']' : `${before}]`);
    this.slots[frame + node.endSlot] = this.end - this.origin;
    this.slots[frame + node.endSlot + 1] = elements.length;
    this.slots[frame + node.endSlot + 2] = first;
  }

  /** Writes where a value ends. All values of an object that is null have the end from which its own follows. */
  private writeEnd(node: FrameNode, frame: number, end: number): void {
    if (node.kind !== 'object') this.slots[frame + node.endSlot] = end;
    else for (const child of node.children) this.writeEnd(child, frame, end);
  }
}
