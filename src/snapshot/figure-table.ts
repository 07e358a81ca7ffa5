/**
 * The `figures` part: what a release looks like as a whole, for telling a bad export from a good one
 * before it goes live. For tools alone; the Worker never reads it. One section:
 *
 *     u32 × f    one number for each of `FIGURES`, in their order
 *
 * New figures are added at the end: a part with fewer of them lacks the last ones, and a reader
 * ignores those that it does not know.
 */
import { ColumnFile, writeColumnFile } from './column-file.ts';
import { SnapshotFormatError } from './format-error.ts';

/** What is counted, each in stores. */
export const FIGURES = [
  'stores',
  /** That show their address. The places of all others are in no figure. */
  'shown',
  /** Whose main location lies exactly where that of another store before it does. */
  'equalPoints',
  /** That lie at the one point where most do. */
  'commonestPoint',
  'emptyNames',
  /** Whose name, not an empty one, another store before it has. */
  'equalNames',
  /** That have the one name which most have. */
  'commonestName',
  /** Without a description in their default language. */
  'emptyDescriptions',
  'equalDescriptions',
  'withoutVerticales',
] as const;

export type FigureName = (typeof FIGURES)[number];
export type Figures = Readonly<Record<FigureName, number>>;

const BYTES = Uint32Array.BYTES_PER_ELEMENT;

/** Writes the part. */
export function writeFigures(figures: Figures): Uint8Array<ArrayBuffer> {
  return writeColumnFile([Uint32Array.from(FIGURES, (name) => figures[name])]);
}

/** Reads the part; null when it lacks a figure that is known here. @throws SnapshotFormatError */
export function readFigures(buffer: ArrayBuffer): Figures | null {
  const file = new ColumnFile('figures', buffer, 1);
  if (file.bytes(0) % BYTES !== 0) {
    throw new SnapshotFormatError(`figures length: got ${file.bytes(0)} bytes, expected whole u32`);
  }
  const values = file.u32(0, file.bytes(0) / BYTES);
  if (values.length < FIGURES.length) return null;
  return Object.fromEntries(FIGURES.map((name, index) => [name, values[index]])) as Figures;
}
