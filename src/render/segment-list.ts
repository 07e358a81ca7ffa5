/**
 * A body under construction: ranges of bytes in order, copied into one array at the end.
 *
 * Ranges that continue each other become one, so that an answer which is all base text costs one
 * copy a store. Short ranges are gathered in a buffer at once: making a view of each would cost more
 * than its bytes. The list is reused from answer to answer; nothing in it outlives `collect`.
 */

/** Up to this many bytes a loop is quicker than making a view of them. */
const SHORT = 96;

/** Room for the short ranges of a usual page. */
const GATHERED_BYTES = 64 * 1024;

const sources: Uint8Array[] = [];
const starts: number[] = [];
const ends: number[] = [];
let count = 0;
/** Takes short ranges and texts. */
let gathered = new Uint8Array(GATHERED_BYTES);
let gatheredEnd = 0;
/** Start of what was gathered since the last range of another source. */
let openStart = 0;

/** Appends `source` from `start` up to `end`. */
export function add(source: Uint8Array, start: number, end: number): void {
  const length = end - start;
  if (length > SHORT) addRange(source, start, end);
  else if (length > 0) {
    let at = gather(length);
    const target = gathered;
    for (let index = start; index < end; index++) target[at++] = source[index] as number;
  }
}

/** Appends the whole of `text`, then `source` from `start` up to `end`. */
export function addAfter(text: Uint8Array, source: Uint8Array, start: number, end: number): void {
  const length = end - start;
  if (length > SHORT) {
    addBytes(text);
    addRange(source, start, end);
    return;
  }
  let at = gather(text.length + length);
  const target = gathered;
  for (let index = 0; index < text.length; index++) target[at++] = text[index] as number;
  for (let index = start; index < end; index++) target[at++] = source[index] as number;
}

export function addBytes(bytes: Uint8Array): void {
  add(bytes, 0, bytes.length);
}

/** Appends a short text of ASCII characters: a call of the encoder costs more than this loop. */
export function addAscii(text: string): void {
  const at = gather(text.length);
  for (let index = 0; index < text.length; index++) {
    gathered[at + index] = text.charCodeAt(index);
  }
}

/** What `fill` appends, in a new array. It must not wait: all answers of an isolate share the list. */
export function collect(fill: () => void): Uint8Array<ArrayBuffer> {
  // An answer that failed may have left something behind.
  clear();
  fill();
  return toBytes();
}

/** Copies all ranges into a new array, and empties the list. */
function toBytes(): Uint8Array<ArrayBuffer> {
  closeGathered();
  let length = 0;
  for (let index = 0; index < count; index++) {
    length += (ends[index] as number) - (starts[index] as number);
  }
  const bytes = new Uint8Array(length);
  let offset = 0;
  for (let index = 0; index < count; index++) {
    const start = starts[index] as number;
    const end = ends[index] as number;
    bytes.set((sources[index] as Uint8Array).subarray(start, end), offset);
    offset += end - start;
  }
  clear();
  return bytes;
}

/** Empties the list, which `toBytes` does too, and lets go of the chunks it refers to. */
function clear(): void {
  sources.length = 0;
  count = 0;
  gatheredEnd = 0;
  openStart = 0;
}

function addRange(source: Uint8Array, start: number, end: number): void {
  closeGathered();
  const last = count - 1;
  if (last >= 0 && ends[last] === start && sources[last] === source) {
    ends[last] = end;
  } else push(source, start, end);
}

/** Makes a range of what was gathered since the last one. */
function closeGathered(): void {
  if (openStart === gatheredEnd) return;
  push(gathered, openStart, gatheredEnd);
  openStart = gatheredEnd;
}

function push(source: Uint8Array, start: number, end: number): void {
  sources[count] = source;
  starts[count] = start;
  ends[count] = end;
  count++;
}

/** Appends so many bytes that the caller fills in, and returns where they lie in `gathered`. */
function gather(length: number): number {
  const at = gatheredEnd;
  if (at + length > gathered.length) return gatherAnew(length);
  gatheredEnd = at + length;
  return at;
}

/** The full buffer stays in the list until the end; another takes its place for good. */
function gatherAnew(length: number): number {
  closeGathered();
  gathered = new Uint8Array(Math.max(GATHERED_BYTES, length));
  openStart = 0;
  gatheredEnd = length;
  return 0;
}
