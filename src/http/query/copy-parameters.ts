/** The parameters by which a copy is kept: `after`, `id.in` and the names of releases. */
import { z } from 'zod';
import { ID_PATTERN } from '../../model/store.ts';
import { RELEASE_NAME } from '../../snapshot/keys.ts';
import { quote } from '../shown-text.ts';
import { wholeParameter } from './number-parameter.ts';
import { arrayParameter, fault, type Parameter, patternParameter } from './parameter.ts';
import { issueOf } from './refusal.ts';

/** Stores that are named in one request. */
const MOST_IDS = 100;

/** What is skipped where nothing is said of it. Left out beside `after`, which goes by ids. */
const STANDARD_SKIP = 0;

const id = z.string().regex(ID_PATTERN, fault('not_an_id'));
const release = z.string().regex(RELEASE_NAME, fault('not_a_release'));

const explainId = (_: unknown, text: string) =>
  `Expected an id of 24 hexadecimal digits, got ${quote(text)}.`;
const explainRelease = (_: unknown, text: string) =>
  `Expected the name of a release, as x-snapshot-release has it, got ${quote(text)}.`;

/** @param what is skipped, for the description */
export function skipParameter(what: string) {
  const description = `Number of ${what} to skip; 0 begins with the first. \`total\` does not depend on it.`;
  const skip = wholeParameter({ name: 'skip', description, example: '100' }, { least: 0 });
  // Whether it was given matters, so that the default is filled in later.
  return { ...skip, schema: skip.schema.meta({ default: STANDARD_SKIP }) };
}

/** What a query skips. */
export const skipOf = (skip: number | undefined): number => skip ?? STANDARD_SKIP;

/** @param description what comes after the id, and what `after` does not go together with */
function afterParameter(description: string) {
  const example = '5bef9a9c18cee08c5bc0641d';
  return patternParameter({ name: 'after', description, example }, id, explainId);
}

export const AFTER = afterParameter(
  'Only what comes after this id, in any case, in the default order, which is by id; total stays that of the whole list. A walk that passes on the last id of each page meets every store that matches throughout exactly once, whatever is published meanwhile. Not together with skip, sort or a position.',
);

/** The same of changes, which have no other order and no position. */
export const AFTER_CHANGE = afterParameter(
  'Only changes of stores whose id comes after this one, in any case; changes come in the order of ids. `total` stays that of all changes between the two releases. Not together with skip.',
);

export const ID_IN = arrayParameter(
  {
    name: 'id.in',
    description: `Keep the stores with these ids, in any case; at most ${MOST_IDS} of them. Ids that no store has are passed over.`,
    example: '5bef9a9c18cee08c5bc0641d,5f47143ac528f2c296b841eb',
  },
  id,
  explainId,
);

export const SINCE = {
  ...patternParameter(
    {
      name: 'since',
      description:
        'The release that the copy has: `release` of the last answer of this operation or, after a walk of the whole list, the `x-snapshot-release` of its pages. Where they came from several releases, ask for the changes since each of them.',
      example: '41-0f8d2c4b6a917e35',
    },
    release,
    explainRelease,
  ),
  required: true,
} as const;

export const UNTIL = patternParameter(
  {
    name: 'until',
    description:
      'The release to compare with instead of the live one; not an earlier one than since. Link carries it, so that all pages of a walk are of the same two releases.',
    example: '42-9b1e7d3f50c2a864',
  },
  release,
  explainRelease,
);

const BESIDE_AFTER = { detail: 'Not together with after, which goes by the order of ids.' };

/** What is wrong with parameters beside `after`. @param others that must not be given with it */
export function afterIssues(asked: object, others: readonly Pick<Parameter, 'name'>[]) {
  if (!(AFTER.name in asked)) return [];
  const given = others.filter(({ name }) => name in asked);
  return given.map(({ name }) => issueOf(name, 'not_beside_after', BESIDE_AFTER));
}

/** What is wrong with ids that are right one by one. */
export function idsIssues(ids: readonly string[] = []) {
  const count = decideIds(ids)?.length ?? 0;
  if (count <= MOST_IDS) return [];
  const detail = `Takes at most ${MOST_IDS} ids, got ${count}.`;
  return [issueOf(ID_IN.name, 'too_many_ids', { detail })];
}

/** Lower case, ascending, each once; null when none were asked for. */
export function decideIds(ids: readonly string[] | undefined): readonly string[] | null {
  return ids ? [...new Set(ids.map((each) => String(each).toLowerCase()))].sort() : null;
}
