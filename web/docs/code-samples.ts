/**
 * A request in the languages of partners. Each is a whole program: it runs as it stands here once
 * BASE_URL and TOKEN are set, with nothing to install.
 */
import type { Operation } from './openapi.ts';

export interface CodeSample {
  /** Stable: part of ids. */
  readonly key: 'curl' | 'typescript' | 'python';
  readonly label: string;
  readonly source: string;
}

const TOKEN_HEADER = 'x-access-token';

/** Samples of the request that `operation` is shown with. */
export function codeSamples(operation: Operation): readonly CodeSample[] {
  const target = requestOf(operation);
  return [
    { key: 'curl', label: 'curl', source: curl(target, operation) },
    { key: 'typescript', label: 'TypeScript', source: typescript(target, operation) },
    { key: 'python', label: 'Python', source: python(target, operation) },
  ];
}

/**
 * Path and query of a request that shows the operation: that of its first example, else its path with
 * the examples of the parameters in it.
 */
export function requestOf({ path, parameters, responses }: Operation): string {
  const content = Object.values(responses[200]?.content ?? {})[0];
  const descriptions = Object.values(content?.examples ?? {}).map(
    ({ description = '' }) => description.match(/`GET ([^`\s]+)`/)?.[1],
  );
  const found = descriptions.find((request) => request !== undefined);
  if (found) return found;
  return path.replace(/\{(\w+)\}/g, (_, name) => {
    const parameter = parameters.find((candidate) => candidate.name === name);
    return encodeURIComponent(String(parameter?.example ?? parameter?.schema.enum?.[0] ?? name));
  });
}

function curl(target: string, { needsToken }: Operation): string {
  const header = needsToken ? `-H "${TOKEN_HEADER}: $TOKEN" ` : '';
  return `curl ${header}"$BASE_URL${target}"`;
}

function typescript(target: string, operation: Operation): string {
  const url = `process.env.BASE_URL + '${target}'`;
  const request = operation.needsToken
    ? `fetch(${url}, {
  headers: { '${TOKEN_HEADER}': process.env.TOKEN ?? '' },
})`
    : `fetch(${url})`;
  return `const response = await ${request};
if (!response.ok) throw new Error(await response.text());
console.log(await response.${isJson(operation) ? 'json' : 'text'}());`;
}

function python(target: string, operation: Operation): string {
  const json = isJson(operation);
  const header = `,
    headers={"${TOKEN_HEADER}": os.environ["TOKEN"]},`;
  return `${json ? 'import json\n' : ''}import os
import urllib.request

request = urllib.request.Request(
    os.environ["BASE_URL"]
    + "${target}"${operation.needsToken ? header : ','}
)
with urllib.request.urlopen(request) as response:
    print(${json ? 'json.load(response)' : 'response.read().decode()'})`;
}

function isJson({ responses }: Operation): boolean {
  return Object.keys(responses[200]?.content ?? {}).some((type) => type.includes('json'));
}
