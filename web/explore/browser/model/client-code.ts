/** A request as a program writes it with the client of `npm run client`, and as a shell does. */

/** A call of the client. */
export interface Call {
  readonly baseUrl: string;
  /** Of the one store that is asked for; null for a list. */
  readonly id: string | null;
  readonly query: object;
}

export function clientCode({ baseUrl, id, query }: Call): string {
  // As people write it: no name of a query needs quotes.
  const options = JSON.stringify(query, null, 2).replaceAll(/^( *)"(\w+)":/gm, '$1$2:');
  const use =
    id === null
      ? `const { total, docs } = await directory.list(${options});
console.log(\`\${docs.length} of \${total} stores\`);`
      : `const store = await directory.get("${id}", ${options});
console.log(store.profile.name);`;
  return `import { StoreDirectory } from "rental-store-directory-client";

const directory = new StoreDirectory({
  baseUrl: "${baseUrl}",
  token: process.env.TOKEN ?? "",
});
${use}
`;
}

/** Writes a line for a POSIX shell, without the token. @param url absolute */
export function curlLine(url: string): string {
  return `curl -H "x-access-token: $TOKEN" '${url.replaceAll("'", "'\\''")}'`;
}
