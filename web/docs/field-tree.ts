/** The fields of answers, as trees that unfold. */
import { FIELDS_PATH } from '../../src/http/paths.ts';
import { FIELD_PATHS } from '../../src/model/field-paths.ts';
import type { Schema } from '../openapi/schemas.ts';
import { type Field, fieldsOf } from './fields.ts';
import { element, fold, mark, text } from './markdown.ts';

/** More values than these are folded away. */
const MAX_OPEN = 8;

/** More values than these are not printed: they stand in the words. */
const MAX_PRINTED = 24;

/** Writes all fields of a store, which can be linked to and filtered. */
export const treeOfStore = (): string =>
  tree(fieldsOf({ $ref: '#/components/schemas/Store' }), 'field-');

/** Writes the fields of an answer, which the search finds on the page of all fields. */
export const fieldTree = (schema: Schema): string =>
  element('div', 'data-pagefind-ignore', tree(fieldsOf(schema)));

/** Writes fields as a tree. @param prefix begins the ids of the fields; without one they have none */
function tree(fields: readonly Field[], prefix = ''): string {
  const items = fields.map((field) => {
    const id = prefix + field.path;
    const type = `<span class="type">${field.type}</span>${marksOf(field)}`;
    const told = [withLinks(text(field.description)), valueList(field.values)];
    const name = pathMarkup(field.path);
    const inner =
      field.fields.length > 0
        ? [fold(`${name} ${type}`, ...told, tree(field.fields, prefix))]
        : [prefix === '' ? `${name} ${type}` : `<a href="#${id}">${name}</a> ${type}`, ...told];
    return element('li', prefix === '' ? '' : `id="${id}"`, ...inner);
  });
  return element('ul', 'class="tree"', ...items);
}

/** Writes a path. Its last name stands out: the others are the fields around it. */
function pathMarkup(path: string): string {
  const end = path.lastIndexOf('.') + 1;
  return `<code><span>${path.slice(0, end)}</span>${path.slice(end)}</code>`;
}

function marksOf({ nullable, required, deprecated }: Field): string {
  return [
    nullable ? mark('or null') : '',
    required ? '' : mark('optional'),
    deprecated ? mark('deprecated') : '',
  ].join('');
}

/** Links the fields that a description names, such as the replacement of a deprecated one. */
function withLinks(description: string): string {
  // Names without a dot may be parameters.
  return description.replaceAll(/`(\w+\.[\w.]+)`/g, (code, path) =>
    FIELD_PATHS.includes(path) ? `[${code}](${FIELDS_PATH}#field-${path})` : code,
  );
}

/** Lists the values of a field or a parameter. */
export function valueList(values: readonly string[]): string {
  // They have a page.
  if (values.length > 0 && values.every((value) => FIELD_PATHS.includes(value))) {
    return `[The ${values.length} paths of fields.](${FIELDS_PATH})`;
  }
  if (values.length > MAX_PRINTED) return '';
  const list = values.map((value) => `\`${value}\``).join(' ');
  return values.length > MAX_OPEN ? fold(`${values.length} values`, list) : list;
}
