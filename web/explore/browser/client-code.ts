/** A request as a program writes it with the client of `npm run client`. */
import { LIST_PATH } from './question.ts';

/** Parameters whose values the client takes as lists. */
const LISTS = new Set(['fields', 'verticale.in', 'language.in', 'country.in']);

/** Parameters whose values are numbers. */
const NUMBERS = /^(limit|position\..+)$/;

interface Query {
  [name: string]: string | number | (string | number)[] | Query;
}

/** @param url absolute, of a request of this page */
export function clientCode(url: string): string {
  const { origin, pathname, searchParams } = new URL(url);
  const [base = '', rest = ''] = pathname.split(LIST_PATH);
  const query = Object.keys(readQuery(searchParams)).length > 0;
  const options = query ? literal(readQuery(searchParams), '') : '';
  const id = decodeURIComponent(rest.slice(1));
  const call =
    id === ''
      ? `const { total, docs } = await directory.list(${options});`
      : `const store = await directory.get('${id}'${options && `, ${options}`});`;
  const use =
    id === ''
      ? 'console.log(`$' + '{docs.length} of $' + '{total} stores`);'
      : 'console.log(store.profile.name);';
  return `import { StoreDirectory } from 'rental-store-directory-client';

const directory = new StoreDirectory({
  baseUrl: '${origin}${base}',
  token: process.env.TOKEN ?? '',
});
${call}
${use}
`;
}

/** Dotted names become nested objects. */
function readQuery(parameters: URLSearchParams): Query {
  const query: Query = {};
  for (const [name, text] of parameters) {
    const path = name.split('.');
    const last = path.pop() ?? name;
    let place = query;
    for (const step of path) {
      const below = place[step];
      const next: Query = typeof below === 'object' && !Array.isArray(below) ? below : {};
      place[step] = next;
      place = next;
    }
    place[last] = readValue(name, text);
  }
  return query;
}

function readValue(name: string, text: string): Query[string] {
  if (name === 'bbox') return text.split(',').map(Number);
  if (LISTS.has(name)) return text.split(',');
  return NUMBERS.test(name) ? Number(text) : text;
}

function literal(value: Query[string], indent: string): string {
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string') return `'${value.replaceAll("'", "\\'")}'`;
  if (Array.isArray(value)) return `[${value.map((word) => literal(word, '')).join(', ')}]`;
  const deeper = `${indent}  `;
  const members = Object.entries(value).map(
    ([name, member]) => `${deeper}${name}: ${literal(member, deeper)},\n`,
  );
  return `{\n${members.join('')}${indent}}`;
}
