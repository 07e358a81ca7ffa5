/** A request as a program writes it with the client of `npm run client`. */

/** A call of the client. */
export interface Call {
  readonly baseUrl: string;
  /** Of the one store that is asked for; null for a list. */
  readonly id: string | null;
  readonly query: object;
}

export function clientCode({ baseUrl, id, query }: Call): string {
  const options = literal(query, '');
  const use =
    id === null
      ? `const { total, docs } = await directory.list(${options});
console.log(\`\${docs.length} of \${total} stores\`);`
      : `const store = await directory.get('${id}', ${options});
console.log(store.profile.name);`;
  return `import { StoreDirectory } from 'rental-store-directory-client';

const directory = new StoreDirectory({
  baseUrl: '${baseUrl}',
  token: process.env.TOKEN ?? '',
});
${use}
`;
}

function literal(value: unknown, indent: string): string {
  if (typeof value === 'string') return `'${value.replaceAll("'", "\\'")}'`;
  if (Array.isArray(value)) return `[${value.map((word) => literal(word, '')).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return String(value);
  const deeper = `${indent}  `;
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .map(([name, member]) => `${deeper}${name}: ${literal(member, deeper)},\n`);
  return members.length === 0 ? '{}' : `{\n${members.join('')}${indent}}`;
}
