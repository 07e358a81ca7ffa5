/** The fields of answers, as trees that unfold. */
import { FIELDS_PATH } from '../../src/http/paths.ts';
import { FIELD_PATHS } from '../../src/model/field-paths.ts';
import type { Schema } from '../openapi/schemas.ts';
import { element, fold, marks } from './markdown.ts';
import { describeType, follow, isNullable, itemOf, valuesOf } from './openapi.ts';

/** More values than these are folded away. */
const MAX_OPEN_VALUES = 8;

/** More values than these are not printed: they stand in the words. */
const MAX_PRINTED = 24;

/** Writes all fields of a store, which can be linked to and filtered. */
export const treeOfStore = (): string => tree({ $ref: '#/components/schemas/Store' }, true);

/** Writes the fields of an answer, which the search finds on the page of all fields. */
export const fieldTree = (schema: Schema): string =>
  element('div', 'data-pagefind-ignore', tree(schema, false));

/**
 * Returns the fields of an object, each with the fields that it holds.
 * @param prefix the path of the object, with a dot behind it
 */
function tree(schema: Schema, hasIds: boolean, prefix = ''): string {
  const { properties = {}, required = [] } = itemOf(schema);
  const fields = Object.entries(properties).map(([name, property]) => {
    const { deprecated = false, description = '' } = follow(property);
    const path = prefix + name;
    const labels = marks(
      isNullable(property) && 'or null',
      !required.includes(name) && 'optional',
      deprecated && 'deprecated',
    );
    // The last name stands out: the others name the fields around it.
    const code = `<code><span>${prefix}</span>${name}</code>`;
    const type = `<span class="type">${describeType(property)}</span>${labels}`;
    const told = [withLinks(description), valueList(valuesOf(property))];
    const id = `field-${path}`;
    const inner = itemOf(property).properties
      ? [fold(`${code} ${type}`, ...told, tree(property, hasIds, `${path}.`))]
      : [`${hasIds ? `<a href="#${id}">${code}</a>` : code} ${type}`, ...told];
    return element('li', hasIds ? `id="${id}"` : '', ...inner);
  });
  return element('ul', 'class="tree"', ...fields);
}

/** Links the fields that a description names, such as the replacement of a deprecated one. */
function withLinks(description: string): string {
  // Names without a dot may be parameters.
  return description.replaceAll(/`(\w+\.[\w.]+)`/g, (code, path) =>
    FIELD_PATHS.includes(path) ? `[${code}](${FIELDS_PATH}#field-${path})` : code,
  );
}

/** Returns what a field or a parameter may hold, where that is listed. */
export function valueList(values: readonly string[]): string {
  // They have a page.
  if (values.length > 0 && values.every((value) => FIELD_PATHS.includes(value))) {
    return `[The ${values.length} paths of fields.](${FIELDS_PATH})`;
  }
  if (values.length > MAX_PRINTED) return '';
  const list = values.map((value) => `\`${value}\``).join(' ');
  return values.length > MAX_OPEN_VALUES ? fold(`${values.length} values`, list) : list;
}
