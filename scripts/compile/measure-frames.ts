/** Measures where values lie in JSON text (see `snapshot/frame-layout.ts`). */
import type { StoreField } from '../../src/model/store.ts';
import {
  childNode,
  FIELD_FRAMES,
  type FrameLayout,
  type FrameNode,
} from '../../src/snapshot/frame-layout.ts';
import { BASE_FRAMES, LOCATIONS_NODE } from '../../src/snapshot/record-layout.ts';
import type { RecordText } from './record-text.ts';
import type { Range } from './write-record.ts';

const LETTER_N = 'n'.charCodeAt(0);
const COMMA = 0x2c;
const COLON = 0x3a;
const CLOSE_BRACKET = 0x5d;
const CLOSE_BRACE = 0x7d;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACKET = 0x5b;
const OPEN_BRACE = 0x7b;

const LOCATION_NODE = nodeAt('geo', 'location');

/** The texts that `localizedTexts` lists. */
const LOCALIZED_NODES: ReadonlySet<FrameNode> = new Set([
  nodeAt('profile', 'description'),
  nodeAt('localization', 'current'),
  nodeAt('geo', 'location', 'name'),
  nodeAt('geo', 'locations', 'name'),
  nodeAt('pricing', 'tax', 'name'),
  nodeAt('booking', 'fixedDurations', 'durations', 'label'),
]);

/** Collects the slots of one record. */
export class FrameMeter {
  readonly slots: number[] = [];
  /** Where the texts that depend on the language lie in the base text, in its order. */
  readonly localized: Range[] = [];
  /** Where the locations lie in the base text, the main one first; none for a hidden address. */
  readonly locations: Range[] = [];
  private readonly text: RecordText;
  private bytes: Uint8Array;
  /** Start of the field's text that is being measured: ends count from here. */
  private origin = 0;

  /** @param text grows while fields are measured that it holds already */
  constructor(text: RecordText) {
    this.text = text;
    this.bytes = text.bytes();
  }

  /**
   * Measures the fields of the base text; their slots come first.
   * @param startOf where the text of a field starts
   */
  addBase(startOf: (field: StoreField) => number): void {
    const frames = [...BASE_FRAMES].map(([field, slot]) => ({ field, slot, ...layoutOf(field) }));
    this.reserve(frames.reduce((sum, { slots }) => sum + slots, 0));
    for (const { field, slot, nodes } of frames) this.measure(field, startOf(field), nodes, slot);
  }

  /** Measures the text of a field and returns the first slot of its frame. */
  add(field: StoreField, start: number): number {
    const { nodes, slots } = layoutOf(field);
    const frame = this.reserve(slots);
    this.measure(field, start, nodes, frame);
    return frame;
  }

  private measure(
    field: StoreField,
    start: number,
    nodes: readonly FrameNode[],
    frame: number,
  ): void {
    this.bytes = this.text.bytes();
    this.origin = start;
    this.measureObject(start + `,"${field}":`.length, nodes, frame);
  }

  /** Returns where the object ends. */
  private measureObject(start: number, nodes: readonly FrameNode[], frame: number): number {
    let at = start;
    for (const node of nodes) {
      at += `,"${node.key}":`.length;
      if (this.bytes[at - 1] !== COLON) throw new Error(`${node.key} is not where it belongs`);
      at = this.measureValue(at, node, frame);
    }
    if (this.bytes[at] !== CLOSE_BRACE) throw new Error('an object has more values than its type');
    return at + 1;
  }

  /** Returns where the value ends. */
  private measureValue(start: number, node: FrameNode, frame: number): number {
    const isNull = this.bytes[start] === LETTER_N;
    if (node.kind === 'object' && !isNull) {
      const end = this.measureObject(start, node.children, frame);
      if (node === LOCATION_NODE) this.locations.push([start, end]);
      return end;
    }
    const end = skipValue(this.bytes, start);
    if (node.kind === 'object') this.fill(node, frame, end - this.origin - node.endDelta);
    else this.slots[frame + node.endSlot] = end - this.origin;
    if (LOCALIZED_NODES.has(node)) this.localized.push([start, end]);
    if (node.kind === 'array' && !isNull) this.measureElements(start, node, frame);
    return end;
  }

  /** Gives every value of an object that is null the end from which the object's own follows. */
  private fill({ children }: FrameNode, frame: number, end: number): void {
    for (const child of children) {
      if (child.kind === 'object') this.fill(child, frame, end);
      else this.slots[frame + child.endSlot] = end;
    }
  }

  private measureElements(start: number, node: FrameNode, frame: number): void {
    const starts: number[] = [];
    let at = start + 1;
    while (this.bytes[at] !== CLOSE_BRACKET) {
      if (this.bytes[at] === COMMA) at++;
      starts.push(at);
      at = skipValue(this.bytes, at);
    }
    const first = this.reserve(starts.length * node.elementSlots);
    this.slots[frame + node.endSlot + 1] = starts.length;
    this.slots[frame + node.endSlot + 2] = first;
    starts.forEach((element, index) => {
      const end = this.measureObject(element, node.children, first + index * node.elementSlots);
      if (node === LOCATIONS_NODE) this.locations.push([element, end]);
    });
  }

  private reserve(count: number): number {
    const first = this.slots.length;
    for (let slot = 0; slot < count; slot++) this.slots.push(0);
    return first;
  }
}

function layoutOf(field: StoreField): FrameLayout {
  const layout = FIELD_FRAMES[field];
  if (!layout) throw new Error(`${field} is no object`);
  return layout;
}

/** The node at the end of a path through objects and elements of arrays. */
function nodeAt(field: StoreField, key: string, ...below: readonly string[]): FrameNode {
  const node = childNode(layoutOf(field).nodes, key);
  return below.reduce(({ children }, each) => childNode(children, each), node);
}

/** Where the value at `start` ends in text of `JSON.stringify`: no white space between tokens. */
function skipValue(bytes: Uint8Array, start: number): number {
  let depth = 0;
  for (let at = start; ; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) at = skipString(bytes, at) - 1;
    else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) depth++;
    else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) depth--;
    // A value ends before a separator, before the bracket that holds it, or with the text.
    if (depth === 0 && isBoundary(bytes[at + 1])) return at + 1;
  }
}

/** Where the string whose opening quote is at `start` ends. */
function skipString(bytes: Uint8Array, start: number): number {
  let at = start + 1;
  while (bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  return at + 1;
}

function isBoundary(byte: number | undefined): boolean {
  return byte === COMMA || byte === CLOSE_BRACE || byte === CLOSE_BRACKET || byte === undefined;
}
