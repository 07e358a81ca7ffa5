/**
 * The parts `rank/…`: the rank of each store among the distinct values of a field, from 1 in ascending
 * order. Equal values share a rank, 0 means the value is missing. Of n stores, in the order of their ids:
 *
 *     section  content
 *     0        highest  u32, the highest rank
 *     1        ranks    u32 × n
 */
import type { Language } from '../model/enumerations.ts';
import type { RankedColumn } from '../model/sort-fields.ts';
import { type ColumnFile, columnPart, type Part, writeColumnFile } from './column-file.ts';

export interface RankColumn {
  readonly ranks: Uint32Array;
  /** The largest rank in the column. */
  readonly highest: number;
}

/** Returns the part that ranks `column`; names are ranked once per language (null: root collation). */
export function rankPart(column: RankedColumn, language: Language | null): Part<RankColumn> {
  const name = column === 'name' ? `rank/name/${language ?? 'root'}` : `rank/${column}`;
  return { ...columnPart(name, 2, readRanks), kind: 'rank' };
}

/** Writes the part of the ranks of stores, in ordinal order. */
export function writeRanks(ranks: Uint32Array): Uint8Array<ArrayBuffer> {
  const highest = ranks.reduce((most, rank) => Math.max(most, rank), 0);
  return writeColumnFile([Uint32Array.of(highest), ranks]);
}

/** Reads the part in place. @throws SnapshotFormatError */
function readRanks(file: ColumnFile, storeCount: number): RankColumn {
  const highest = file.u32(0, 1)[0] as number;
  return { ranks: file.u32(1, storeCount), highest };
}
