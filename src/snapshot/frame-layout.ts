/**
 * Frames: where the values inside a field lie in its JSON text, so that a part of a field can be
 * copied without scanning the text for it.
 *
 * The keys of an object are known beforehand and always there, and the text has no white space. So
 * of an object it is enough to know where each value ends: the next one begins a known number of
 * bytes after it. A frame holds one number, a *slot*, for each value of an object, in contract
 * order. The values of an inner object have their slots in the place of the object's own, which
 * ends with the last of them. An array of objects has three slots: its end, the number of its
 * elements, and the first slot of the frames of its elements, which follow each other.
 *
 *     {"total":3,"author":{"name":"Ada"},"rows":[{"from":"09:00"},{"from":"10:00"}]}
 *     frame:  end of 3 · end of "Ada" · end of the array, 2, slot of the first element's frame
 *     frames of the elements:  end of "09:00" · end of "10:00"
 *
 * Ends count bytes from the start of the field's text. An object that is null has its slots filled
 * so that its end comes out right; an array that is null has no elements.
 */
import * as z from 'zod';
import {
  bareSchema,
  isRequested,
  STORE_FIELDS,
  type StoreField,
  storeSchema,
} from '../model/store.ts';

/** Slots of an array of objects. */
const ARRAY_SLOTS = 3;

/** A value inside a field. All numbers follow from the schema alone. */
export interface FrameNode {
  readonly key: string;
  readonly kind: 'value' | 'object' | 'array';
  /** Whether null may stand in its place. */
  readonly isNullable: boolean;
  /** Slot of the value before it, which it starts after; -1 for the first of a frame. */
  readonly startSlot: number;
  /** Bytes from the end in that slot, or from the start of the frame's object, to its start. */
  readonly startDelta: number;
  /** The slot that its end follows from: an array's own, a value's own, an object's last. */
  readonly endSlot: number;
  /** Bytes from the end in that slot to its end: the braces that close between them. */
  readonly endDelta: number;
  /** Of an object: its values. Of an array: the values of an element, in the frame of the element. */
  readonly children: readonly FrameNode[];
  /** Of an array: the slots of an element's frame. */
  readonly elementSlots: number;
}

/** The frame of an object. */
export interface FrameLayout {
  readonly nodes: readonly FrameNode[];
  /** Number of slots, without the slots of elements of arrays. */
  readonly slots: number;
}

/** Where the next value goes while a frame is laid out. */
interface Cursor {
  slot: number;
  /** Slot of the last value, -1 before the first. */
  last: number;
  /** Bytes since the end in `last`. */
  delta: number;
}

function layObject(schema: z.ZodObject, cursor: Cursor): FrameNode[] {
  const nodes = Object.entries(schema.shape).map(([key, value]) => {
    // `{"key":` opens the object, `,"key":` comes between values.
    cursor.delta += `,"${key}":`.length;
    return layValue(key, value as z.ZodType, cursor);
  });
  cursor.delta += '}'.length;
  return nodes;
}

function layValue(key: string, wrapped: z.ZodType, cursor: Cursor): FrameNode {
  const schema = bareSchema(wrapped);
  const isNullable = wrapped.safeParse(null).success;
  const start = { key, isNullable, startSlot: cursor.last, startDelta: cursor.delta };
  if (schema instanceof z.ZodObject) {
    const children = layObject(schema, cursor);
    const end = { endSlot: cursor.last, endDelta: cursor.delta };
    return { ...start, ...end, kind: 'object', children, elementSlots: 0 };
  }
  const endSlot = cursor.slot;
  const element = schema instanceof z.ZodArray ? bareSchema(schema.element as z.ZodType) : null;
  const inner = element instanceof z.ZodObject ? frameOf(element) : null;
  cursor.slot += inner ? ARRAY_SLOTS : 1;
  cursor.last = endSlot;
  cursor.delta = 0;
  return {
    ...start,
    kind: inner ? 'array' : 'value',
    endSlot,
    endDelta: 0,
    children: inner?.nodes ?? [],
    elementSlots: inner?.slots ?? 0,
  };
}

function frameOf(schema: z.ZodObject): FrameLayout {
  const cursor: Cursor = { slot: 0, last: -1, delta: 0 };
  const nodes = layObject(schema, cursor);
  return { nodes, slots: cursor.slot };
}

function fieldFrame(field: StoreField): FrameLayout | null {
  if (isRequested(field)) return null;
  const schema = bareSchema(storeSchema.shape[field] as z.ZodType);
  return schema instanceof z.ZodObject ? frameOf(schema) : null;
}

/** The frames of the top-level fields of records that are objects; null for the others. */
export const FIELD_FRAMES = Object.fromEntries(
  STORE_FIELDS.map((field) => [field, fieldFrame(field)]),
) as Readonly<Record<StoreField, FrameLayout | null>>;

/** Returns the node of `key`. @throws Error when there is none */
export function childNode(nodes: readonly FrameNode[], key: string): FrameNode {
  const found = nodes.find((node) => node.key === key);
  if (!found) throw new Error(`no value ${key}`);
  return found;
}
