/** The fields of answers, as tables. */
import { FIELDS_PATH } from '../../src/http/paths.ts';
import { FIELD_PATHS } from '../../src/model/field-paths.ts';
import type { Schema } from '../openapi/schemas.ts';
import { type Field, fieldsOf } from './fields.ts';
import { element, mark, table, text } from './markdown.ts';

/** More values than these are not printed: paths of fields have a page, others stand in the words. */
const PRINTED_VALUES = 24;

const HEADINGS = ['Field', 'Type', 'Meaning'];

/** All fields of a store, which can be linked to and filtered. */
export function fieldsOfStore(): string {
  const fields = fieldsOf({ $ref: '#/components/schemas/Store' });
  const paths = new Set(fields.map(({ path }) => path));
  const groups = Map.groupBy(fields, (field) => groupOf(field, paths));
  const sections = [...groups].map(([name, group]) => {
    const rows = group.map((field) => {
      const [path, type, meaning] = rowOf(field);
      const id = `field-${field.path}`;
      return [`<a id="${id}" href="#${id}">${path}</a>`, type, withLinks(meaning, paths)];
    });
    return element('section', '', `## ${name}`, table(HEADINGS, rows));
  });
  return element('div', 'class="fields"', ...sections);
}

/** By the object at the top that holds it. */
function groupOf({ path, deprecated }: Field, paths: ReadonlySet<string>): string {
  if (deprecated) return 'Deprecated';
  const [top = ''] = path.split('.');
  return [...paths].some((other) => other.startsWith(`${top}.`)) ? top : 'The store itself';
}

/** The fields of an answer that has no page of its own. */
export function fieldTable(schema: Schema): string {
  const rows = fieldsOf(schema).map(rowOf);
  return rows.length === 0 ? '' : table(HEADINGS, rows);
}

/** Fields that a description names lead to their rows: the one to use instead of a deprecated one. */
function withLinks(description: string, paths: ReadonlySet<string>): string {
  // Names without a dot may be those of parameters.
  return description.replaceAll(/`(\w+\.[\w.]+)`/g, (code, path) =>
    paths.has(path) ? `[${code}](#field-${path})` : code,
  );
}

/** Path, type and meaning. */
function rowOf({ path, type, description, values, ...field }: Field): [string, string, string] {
  // A store is described by its own page.
  const name = type.endsWith('Store') ? `[${type}](${FIELDS_PATH})` : type;
  const marks = [
    field.nullable ? mark('or null') : '',
    field.required ? '' : mark('optional'),
    field.deprecated ? mark('deprecated') : '',
  ];
  return [`\`${path}\``, name + marks.join(''), `${text(description)} ${valueList(values)}`];
}

/** What a field or a parameter may hold, where that is listed. */
export function valueList(values: readonly string[]): string {
  if (values.length <= PRINTED_VALUES) return values.map((value) => `\`${value}\``).join(' ');
  const arePaths = values.every((value) => FIELD_PATHS.includes(value));
  return arePaths ? `[The ${values.length} paths of fields.](${FIELDS_PATH})` : '';
}
