/** The page on the source format, `docs/source-format.md`: all of it is made here, from the schema. */

import { LANGUAGES } from '../../src/model/enumerations.ts';
import { FAULT_KINDS } from '../source/fault.ts';
import { MAX_RECORD_BYTES } from '../source/raw-record.ts';
import type { JsonSchema } from '../source/source-schema.ts';
import { type SourceField, sourceFields } from './fields.ts';
import { FULL_STORE } from './full-store.ts';
import { MINIMAL_STORE } from './minimal-store.ts';

/** How the page is made, for readers who find it stale. */
export const PAGE_COMMAND = 'npm run source-format';

const INTRODUCTION = `# Source format

<!-- Made by: ${PAGE_COMMAND} -->

What an export of stores has to look like. A program that checks or writes exports finds the same as
JSON Schema: \`npm run --silent snapshot -- schema\`.

## The file

- One store a line, each a JSON object (NDJSON), or one JSON array of stores. UTF-8, plain or gzip.
- Every key is required, and no other key is allowed. What there is nothing to say of is an empty text,
  an empty list or, where the table allows it, null.
- \`npm run snapshot -- validate --source FILE\` reports every fault, by kind and field, with its line
  (and, in an array, the number of the element) and the store. Nothing is built from a faulty file.
- A file that was cut off at the end of a line looks whole. Say how many stores it holds:
  \`--expect-stores 2658\`.
- It is whole when it is read: a file that changed within the last five seconds is waited for, and one
  that changes while it is read is refused.
- Texts hold no NUL and no half of a surrogate pair (\`\\u0000\`, \`\\ud83d\` alone): many readers of JSON
  refuse them.
- A store has at most ${MAX_RECORD_BYTES / 1024 ** 2} MiB.

## Rules

- An **id** is used once, whatever the case of its letters; a **slug** once. Within a store no two
  locations have one slug.
- A slug is one segment of a path: without white space, \`/\`, \`?\` and \`#\`, and neither \`.\` nor \`..\`.
  That of a store is not 24 hexadecimal digits, which could be an id.
- A **language map** has a text for at least one of ${LANGUAGES.map((each) => `\`${each}\``).join(', ')}.
  A language that is missing is answered in French if there is French, else in the default language,
  else in the first of the map.
- \`localization.default\` is one of \`localization.available\`.
- \`localization.available\` and \`profile.verticales\` have nothing twice.
- With \`geo.displayAddress\` false nothing of \`geo\` is published, nor what would lead to the place.
- Times are ISO 8601 with \`Z\` or an offset: \`2026-11-01T00:00:00+01:00\`.
- Links are complete \`http\` or \`https\` URLs, relative, or empty; \`pageUrl\` is complete.
`;

/** Where the page is, in the project. */
export const PAGE_FILE = 'docs/source-format.md';

/** The whole page. */
export function sourcePage(): string {
  return [
    INTRODUCTION,
    section('A minimal store', 'As little as a store can do with.', json(MINIMAL_STORE)),
    section(
      'A full store',
      'Everything that a store can have, at least one of each.',
      json(FULL_STORE),
    ),
    section(
      'Every field',
      'Dots lead into objects, `*` stands for any element of a list, as in reports of faults.',
      fieldTable(),
    ),
    section('Kinds of faults', 'The words are stable: `--json` has them as `kind`.', faultTable()),
  ].join('\n');
}

function section(title: string, text: string, content: string): string {
  return `## ${title}\n\n${text}\n\n${content}\n`;
}

function json(store: object): string {
  return `\`\`\`json\n${JSON.stringify(store, null, 2)}\n\`\`\``;
}

function fieldTable(): string {
  const rows = sourceFields().map(
    (field) => `| \`${field.path}\` | ${typeOf(field)} | ${field.schema.description} |`,
  );
  return ['| Field | Type | Meaning |', '|---|---|---|', ...rows].join('\n');
}

function faultTable(): string {
  const rows = Object.entries(FAULT_KINDS).map(([kind, meaning]) => `| \`${kind}\` | ${meaning} |`);
  return ['| Kind | Meaning |', '|---|---|', ...rows].join('\n');
}

function typeOf({ schema, isNullable }: SourceField): string {
  return `${describeType(schema)}${isNullable ? ' or null' : ''}`;
}

function describeType(schema: JsonSchema): string {
  const { type, anyOf, items, propertyNames } = schema;
  const words = schema.enum ?? (schema.const === undefined ? undefined : [schema.const]);
  if (words) return words.map((word) => `\`${word}\``).join(', ');
  if (anyOf) return anyOf.map(describeType).join(' or ');
  if (propertyNames) return 'language map';
  if (items) return `list of ${items.properties ? 'objects' : describeType(items)}`;
  if (type === 'string') return schema.format === 'date-time' ? 'time' : 'text';
  if (type === 'number' || type === 'integer') return describeNumber(schema);
  return String(type ?? 'anything');
}

function describeNumber({ type, minimum, maximum }: JsonSchema): string {
  const number = type === 'integer' ? 'whole number' : 'number';
  if (minimum === undefined && maximum === undefined) return number;
  if (maximum === undefined) return `${number}, at least ${minimum}`;
  return `${number} from ${minimum} to ${maximum}`;
}
