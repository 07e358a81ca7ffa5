/** Tables of fields and of parameters. */
import { FIELD_PATHS } from '../../src/model/field-paths.ts';
import { Html, html } from '../html.ts';
import { describeType, type Field, valuesOf } from './fields.ts';
import { inlineMarkdown } from './markdown.ts';
import type { OpenApi, Parameter } from './openapi.ts';

/** More values than these are not printed: paths of fields have a table, others stand in the words. */
const PRINTED_VALUES = 24;

const FIELD_ANCHOR = 'field-';

/** The fields of an answer. With `anchors`, each can be linked to, and filtered. */
export function fieldTable(fields: readonly Field[], { anchors = false } = {}): Html {
  const paths = new Set(anchors ? fields.map(({ path }) => path) : []);
  const rows = fields.map((field) => {
    const id = FIELD_ANCHOR + field.path;
    const name = html`<code>${breakable(field.path)}</code>`;
    const attributes = html` id="${id}"${field.deprecated ? html` class="old"` : ''}`;
    return html`<tr${anchors ? attributes : ''}>
<th scope="row">${anchors ? html`<a href="#${id}">${name}</a>` : name}</th>
<td class="type">${typeOf(field)}${marks(field)}</td>
<td>${withLinks(inlineMarkdown(field.description), paths)}${valueList(field.values)}</td>
</tr>
`;
  });
  return html`<table class="rows"${anchors ? html` id="field-table"` : ''}>
<thead><tr><th scope="col">Field</th><th scope="col">Type</th><th scope="col">Meaning</th></tr></thead>
<tbody>
${rows}</tbody>
</table>`;
}

export function parameterTable(parameters: readonly Parameter[], api: OpenApi): Html {
  const rows = parameters.map(
    (parameter) => html`<tr>
<th scope="row"><code>${breakable(parameter.name)}</code></th>
<td class="type">${describeType(parameter.schema, api)}${placeMarks(parameter)}</td>
<td>${inlineMarkdown(parameter.description ?? '')}${valueList(valuesOf(parameter.schema, api))}${exampleOf(parameter)}</td>
</tr>
`,
  );
  return html`<table class="rows">
<thead><tr><th scope="col">Parameter</th><th scope="col">Value</th><th scope="col">Meaning</th></tr></thead>
<tbody>
${rows}</tbody>
</table>`;
}

/** Fields that a description names lead to their rows: the one to use instead of a deprecated one. */
function withLinks({ text }: Html, paths: ReadonlySet<string>): Html {
  // Names without a dot may be those of parameters.
  const linked = text.replaceAll(/<code>(\w+\.[\w.]+)<\/code>/g, (code, path) =>
    paths.has(path) ? html`<a href="#${FIELD_ANCHOR}${path}">${new Html(code)}</a>`.text : code,
  );
  return new Html(linked);
}

/** A dotted name may be broken after its dots. */
function breakable(path: string): Html {
  const [first = '', ...rest] = path.split('.');
  return html`${first}${rest.map((step) => html`.<wbr>${step}`)}`;
}

/** A store is described by its own table. */
function typeOf({ type }: Field): Html {
  return type.endsWith('Store') ? html`<a href="#fields">${type}</a>` : html`${type}`;
}

function marks({ nullable, required, deprecated }: Field): Html {
  const words = [
    ...(nullable ? ['or null'] : []),
    ...(required ? [] : ['optional']),
    ...(deprecated ? ['deprecated'] : []),
  ];
  return html`${words.map((word) => html` <span class="mark ${word}">${word}</span>`)}`;
}

function placeMarks({ required, in: place }: Parameter): Html {
  const words = [...(place === 'query' ? [] : [place]), ...(required ? ['required'] : [])];
  return html`${words.map((word) => html` <span class="mark">${word}</span>`)}`;
}

function valueList(values: readonly string[]): Html {
  if (values.length === 0) return html``;
  if (values.length > PRINTED_VALUES) {
    const arePaths = values.every((value) => FIELD_PATHS.includes(value));
    return arePaths ? html` <a href="#fields">The ${values.length} paths of fields.</a>` : html``;
  }
  return html`<span class="values">${values.map((value) => html`<code>${value}</code> `)}</span>`;
}

/** The parameter as it stands in a URL. */
function exampleOf({ name, in: place, example }: Parameter): Html {
  if (example === undefined) return html``;
  const text = Array.isArray(example) ? example.join(',') : String(example);
  return html` <span class="example">Example: <code>${place === 'query' ? `${name}=${text}` : text}</code></span>`;
}
