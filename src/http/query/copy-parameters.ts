/** The parameters by which a copy is kept: `after`, `id.in` and the names of releases. */
import { z } from 'zod';
import { ID_PATTERN } from '../../model/store.ts';
import { parseReleaseName } from '../../snapshot/keys.ts';
import { quote } from '../shown-text.ts';
import type { Parameter } from './parameter.ts';
import type { ParameterReader } from './parameter-reader.ts';

/** Stores that are named in one request. */
const MOST_IDS = 100;

export const AFTER: Parameter<string> = {
  name: 'after',
  array: false,
  description:
    'Only stores whose id comes after this one, in the default order, which is by id; total stays that of the whole list. A walk that passes on the last id of each page meets every store that matches throughout exactly once, whatever is published meanwhile. Not together with skip, sort or a position.',
  example: '5bef9a9c18cee08c5bc0641d',
  schema: z.string().regex(ID_PATTERN),
  read: readId,
};

export const ID_IN: Parameter<string> = {
  name: 'id.in',
  array: true,
  description: `Keep the stores with these ids, in any case; at most ${MOST_IDS} of them. Ids that no store has are passed over.`,
  example: '5bef9a9c18cee08c5bc0641d,5f47143ac528f2c296b841eb',
  schema: z.string().regex(ID_PATTERN),
  read: readId,
};

const RELEASE_PATTERN = /^[1-9][0-9]{0,9}-[0-9a-f]{16}$/;

export const SINCE: Parameter<string> = {
  name: 'since',
  array: false,
  description:
    'The release that the copy has: release of the last answer of this operation or, after a walk of the whole list, the lowest x-snapshot-release among its pages.',
  example: '41-0f8d2c4b6a917e35',
  schema: z.string().regex(RELEASE_PATTERN),
  read: readRelease,
};

export const UNTIL: Parameter<string> = {
  name: 'until',
  array: false,
  description:
    'The release to compare with instead of the live one, not an earlier one than since. Link carries it, so that all pages of a walk are of the same two releases.',
  example: '42-9b1e7d3f50c2a864',
  schema: z.string().regex(RELEASE_PATTERN),
  read: readRelease,
};

function readId(text: string): ReturnType<Parameter<string>['read']> {
  if (ID_PATTERN.test(text)) return { value: text };
  const detail = `Expected an id of 24 hexadecimal digits, got ${quote(text)}.`;
  return { explain: () => ({ code: 'not_an_id', detail }) };
}

function readRelease(text: string): ReturnType<Parameter<string>['read']> {
  if (parseReleaseName(text)) return { value: text };
  const detail = `Expected the name of a release as x-snapshot-release has it, got ${quote(text)}.`;
  return { explain: () => ({ code: 'not_a_release', detail }) };
}

/** `after`, beside which none of `others` may be given. */
export function readAfter(reader: ParameterReader, others: readonly Parameter[]): string | null {
  if (!reader.has(AFTER)) return null;
  for (const other of others.filter((each) => reader.has(each))) {
    const detail = 'Not together with after, which goes by the order of ids.';
    reader.faults.add(other.name, () => ({ code: 'not_beside_after', detail }));
  }
  return reader.one(AFTER) ?? null;
}

/** `id.in` in lower case, ascending, each once; null when it was not given. */
export function readIds(reader: ParameterReader): readonly string[] | null {
  if (!reader.has(ID_IN)) return null;
  const ids = [...new Set(reader.many(ID_IN).map((id) => id.toLowerCase()))].sort();
  if (ids.length > MOST_IDS) {
    const detail = `Takes at most ${MOST_IDS} ids, got ${ids.length}.`;
    reader.faults.add(ID_IN.name, () => ({ code: 'too_many_ids', detail }));
  }
  return ids;
}
