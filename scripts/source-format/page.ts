/** The page on the source format, `docs/source-format.md`: its tables are made here, from the schema. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { LANGUAGES } from '../../src/model/enumerations.ts';
import { DATE_TIME } from '../../src/model/timestamp.ts';
import { PROJECT_FOLDER } from '../cli/platform.ts';
import { FAULT_KINDS } from '../source/fault.ts';
import { MAX_RECORD_BYTES } from '../source/open-source.ts';
import { type JsonSchema, sourceFields } from '../source/source-schema.ts';

/** Where the page is, in the project. */
export const PAGE_FILE = 'docs/source-format.md';

/** The table that the page converts. */
const EXAMPLE_TABLE = 'docs/examples/shops.csv';

/** The first of the sections that are made here. */
const FIRST_SECTION = 'Every field';

/** Returns the whole page: what was written by hand stays, with the numbers and words of the code. */
export function sourcePage(): string {
  const [written = ''] = textOf(PAGE_FILE).split(`\n## ${FIRST_SECTION}\n`);
  const languages = LANGUAGES.map(code).join(', ');
  return [
    written
      .replace(/(?<=has at most ).*?(?= MiB)/, String(MAX_RECORD_BYTES / 1024 ** 2))
      .replace(/(?<=\n```csv\n).*?(?=```\n)/s, () => textOf(EXAMPLE_TABLE))
      .replace(/(?<=has a text for at least one of ).*?(?=\.\n)/, languages),
    section(
      FIRST_SECTION,
      'Reports of faults name fields in the same way: dots lead into objects, `*` is any element of a list.',
      fieldTable(),
    ),
    section(
      'Kinds of faults',
      'The words are stable: `--json` has them as `kind`, and `validate` prints each with its meaning.',
      Object.keys(FAULT_KINDS).map(code).join(', '),
    ),
  ].join('\n');
}

function textOf(file: string): string {
  return readFileSync(join(PROJECT_FOLDER, file), 'utf8');
}

/** Writes a word as code. */
function code(word: string): string {
  return `\`${word}\``;
}

function section(title: string, text: string, content: string): string {
  return `## ${title}\n\n${text}\n\n${content}\n`;
}

/**
 * Returns the table of fields. What several fields hold is told at the first of them. An object that only holds fields has no row: the
 * paths of its fields name it.
 */
function fieldTable(): string {
  const told = new Map<string, string>();
  const rows: string[] = [];
  let repeated: string | null = null;
  for (const { path, schema, isNullable } of sourceFields()) {
    if (repeated !== null && path.startsWith(`${repeated}.`)) continue;
    const members = JSON.stringify(schema.properties ?? schema.items?.properties);
    const first = members && told.get(members);
    repeated = first === undefined ? null : path;
    if (members && first === undefined) told.set(members, path);
    if (schema.properties && !isNullable && repeated === null) continue;
    const again = first === undefined ? '' : ` Same fields as \`${first}\`.`;
    const type = `${describeType(schema)}${isNullable ? ' or null' : ''}`;
    rows.push(`| \`${path}\` | ${type} | ${schema.description}${again} |`);
  }
  return ['| Field | Type | Meaning |', '|---|---|---|', ...rows].join('\n');
}

function describeType(schema: JsonSchema): string {
  const { type, anyOf, items, propertyNames } = schema;
  if (schema.enum) return schema.enum.map(code).join(', ');
  if (anyOf) return anyOf.map(describeType).join(' or ');
  if (propertyNames) return 'language map';
  if (items) return `list of ${items.properties ? 'objects' : describeType(items)}`;
  if (type === 'string') return schema.pattern === DATE_TIME.source ? 'time' : 'text';
  if (type === 'number' || type === 'integer') return describeNumber(schema);
  return String(type ?? 'anything');
}

function describeNumber({ type, minimum, maximum }: JsonSchema): string {
  const number = type === 'integer' ? 'whole number' : 'number';
  if (minimum === undefined && maximum === undefined) return number;
  if (maximum === undefined) return `${number}, at least ${minimum}`;
  return `${number} from ${minimum} to ${maximum}`;
}
