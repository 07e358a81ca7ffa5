/** What is made of the index parts of a release, which are read when a request first needs them. */

import { INDEXED_FIELDS, TERM_FIELDS } from '../model/term-fields.ts';
import { ChunkTable } from '../snapshot/chunk-table.ts';
import { HoursTable } from '../snapshot/hours-table.ts';
import { readIdTable } from '../snapshot/id-table.ts';
import {
  CHUNKS_PART,
  HOURS_PART,
  IDS_PART,
  type ObjectRef,
  PLACES_PART,
  SLUGS_PART,
  termsPart,
  VERTICALES_PART,
} from '../snapshot/manifest.ts';
import { PlaceTable } from '../snapshot/place-table.ts';
import { SlugTable } from '../snapshot/slug-table.ts';
import { readRankColumn, readVerticales } from '../snapshot/store-columns.ts';
import { TermTable } from '../snapshot/term-table.ts';

/** Makes the table of a part of its bytes. */
type BuildTable = (part: ArrayBuffer, storeCount: number) => unknown;

/** The parts that are not named by a sort column. */
const TABLES: Readonly<Record<string, BuildTable>> = {
  [CHUNKS_PART]: (part, n) => new ChunkTable(part, n),
  [VERTICALES_PART]: readVerticales,
  [IDS_PART]: readIdTable,
  [SLUGS_PART]: (part, n) => new SlugTable(part, n),
  [HOURS_PART]: (part, n) => new HoursTable(part, n),
  [PLACES_PART]: (part, n) => new PlaceTable(part, n),
  ...Object.fromEntries(
    [...TERM_FIELDS, ...INDEXED_FIELDS]
      .map(termsPart)
      .map((name): [string, BuildTable] => [name, (part, n) => new TermTable(name, part, n)]),
  ),
};

/**
 * What a table is known by: its object, and what is made of it, as two small parts may have the same
 * bytes. Languages that sort all names alike have one table.
 */
export function tableKey(name: string, { hash }: ObjectRef): string {
  return `${name in TABLES ? name : 'rank'} ${hash}`;
}

export function buildTable(name: string, part: ArrayBuffer, storeCount: number): unknown {
  const build = TABLES[name];
  return build ? build(part, storeCount) : readRankColumn(name, part, storeCount);
}
