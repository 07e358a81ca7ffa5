/** Order of texts without decoding them. */

/** Lead bytes of U+E000…U+FFFF; those of the supplementary planes are larger. */
const PRIVATE_USE_LEAD = 0xee;
const LAST_BASIC_LEAD = 0xef;

/**
 * Compares the UTF-8 in `bytes` from `start` up to `end` with that in `other`, in the order of
 * UTF-16 code units, which is the order of JavaScript's `<`.
 *
 * Bytes of UTF-8 order like code points. Code units differ from that in one place: surrogates,
 * which stand for the supplementary planes, come before U+E000…U+FFFF.
 */
export function compareUtf8(
  bytes: Uint8Array,
  start: number,
  end: number,
  other: Uint8Array,
): number {
  const length = Math.min(end - start, other.length);
  for (let index = 0; index < length; index++) {
    const left = bytes[start + index] as number;
    const right = other[index] as number;
    if (left !== right) return unitOrder(left) - unitOrder(right);
  }
  return end - start - other.length;
}

/** A lead byte's place among the code units that it leads to. */
function unitOrder(lead: number): number {
  return lead === PRIVATE_USE_LEAD || lead === LAST_BASIC_LEAD ? lead + 0x10 : lead;
}
