/** Tables of fields and of parameters. */
import { type Html, html } from '../html.ts';
import { describeType, type Field, valuesOf } from './fields.ts';
import { inlineMarkdown } from './markdown.ts';
import type { OpenApi, Parameter } from './openapi.ts';

/** More values than these are not printed: they are paths of fields, which have a table. */
const PRINTED_VALUES = 24;

export const FIELD_ANCHOR = 'field-';

/** The fields of an answer. With `anchors`, each can be linked to, and filtered. */
export function fieldTable(fields: readonly Field[], { anchors = false } = {}): Html {
  const rows = fields.map((field) => {
    const id = FIELD_ANCHOR + field.path;
    const name = html`<code>${breakable(field.path)}</code>`;
    const attributes = html` id="${id}"${field.deprecated ? html` class="old"` : ''}`;
    return html`<tr${anchors ? attributes : ''}>
<th scope="row">${anchors ? html`<a href="#${id}">${name}</a>` : name}</th>
<td class="type">${field.type}${marks(field)}</td>
<td>${inlineMarkdown(field.description)}${valueList(field.values)}</td>
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

/** A dotted name may be broken after its dots. */
function breakable(path: string): Html {
  const [first = '', ...rest] = path.split('.');
  return html`${first}${rest.map((step) => html`.<wbr>${step}`)}`;
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
    return html` <a href="#fields">The ${values.length} paths of fields.</a>`;
  }
  return html`<span class="values">${values.map((value) => html`<code>${value}</code> `)}</span>`;
}

/** The parameter as it stands in a URL. */
function exampleOf({ name, in: place, example }: Parameter): Html {
  if (example === undefined) return html``;
  const text = Array.isArray(example) ? example.join(',') : String(example);
  return html` <span class="example">Example: <code>${place === 'query' ? `${name}=${text}` : text}</code></span>`;
}
