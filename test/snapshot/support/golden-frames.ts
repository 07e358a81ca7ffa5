/** Checks frames by the drawing in `src/snapshot/frame-layout.ts` alone: see `golden-decoder.ts`. */

/** The key of a field's text, which has the character before it. */
export function keyOf(text: string): string {
  return /^.?"(\w+)":/.exec(text)?.[1] ?? '';
}

/** Arrays of objects, whose elements have frames of their own (`frame-layout.ts`). */
const LISTS = new Set([
  'geo.locations',
  'modules.delivery.ranges',
  'modules.delivery.ranges.specificPrices',
  'modules.delivery.ranges.specificPrices.cities',
  'modules.delivery.excludedCities',
  'modules.cancellation.ranges',
  'reviews.external.reviews',
  'temporal.schedule.openingHours',
  'temporal.schedule.openingHoursLowSeason',
  'temporal.schedule.lowSeasonRanges',
  'temporal.schedule.closedRanges',
  'pricing.discount.globalDiscounts',
  'pricing.discount.categoryDiscounts',
  'pricing.discount.categoryDiscounts.rules',
  'booking.fixedDurations.durations',
  'booking.rules.timeAnchors.startTimes',
  'booking.rules.timeAnchors.endTimes',
]);

interface Slots {
  slot(number: number): number;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The slots of an object's frame, those of the elements of its arrays aside. */
export function slotCount(value: unknown, path: string): number {
  if (LISTS.has(path)) return 3;
  if (!isObject(value)) return 1;
  return Object.entries(value).reduce((sum, [key, inner]) => {
    return sum + slotCount(inner, `${path}.${key}`);
  }, 0);
}

/**
 * Slots of a field's frame that are not what the text demands: number, got, expected.
 * @param text of the field, with the character before it
 */
export function wrongSlots(record: Slots, text: string, frame: number): string[] {
  const key = keyOf(text);
  const wrong: string[] = [];
  const expectSlot = (number: number, expected: number, path: string) => {
    const got = record.slot(number);
    if (got !== expected) wrong.push(`${path}: slot ${number} is ${got}, not ${expected}`);
  };
  /** Checks the slots of a value that starts at byte `start`; returns the next slot. */
  const check = (value: unknown, path: string, start: number, slot: number): number => {
    const end = start + Buffer.byteLength(JSON.stringify(value));
    if (LISTS.has(path)) {
      const elements = Array.isArray(value) ? value : [];
      expectSlot(slot, end, path);
      expectSlot(slot + 1, elements.length, path);
      let at = start + 1;
      let elementSlot = record.slot(slot + 2);
      for (const element of elements) {
        elementSlot = checkObject(element, path, at, elementSlot);
        at += Buffer.byteLength(JSON.stringify(element)) + 1;
      }
      return slot + 3;
    }
    if (isObject(value)) return checkObject(value, path, start, slot);
    expectSlot(slot, end, path);
    return slot + 1;
  };
  const checkObject = (value: object, path: string, start: number, slot: number): number => {
    let at = start;
    let next = slot;
    for (const [name, inner] of Object.entries(value)) {
      at += `,"${name}":`.length;
      next = check(inner, `${path}.${name}`, at, next);
      at += Buffer.byteLength(JSON.stringify(inner));
    }
    return next;
  };
  const value = JSON.parse(`{${text.slice(1)}}`)[key];
  check(value, key, `,"${key}":`.length, frame);
  return wrong;
}
