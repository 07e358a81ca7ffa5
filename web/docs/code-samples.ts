/**
 * The request of an operation in the languages of partners. Each is a whole program: it runs as it stands here once
 * BASE_URL and TOKEN are set, with nothing to install. Stores and releases in it are invented, as in the guides.
 */
import { examplesOf, type OperationObject } from './openapi.ts';

const TOKEN_HEADER = 'x-access-token';

/** Returns path and query of an operation's first example, else its path alone. */
export function sampleTarget({ path, responses }: OperationObject): string {
  const [example] = Object.values(responses).flatMap(examplesOf);
  return example?.description?.match(/`GET ([^`\s]+)`/)?.[1] ?? path;
}

/** Returns the same request in each language, by the names that Markdown has for them. */
export function codeSamples(operation: OperationObject) {
  const target = sampleTarget(operation);
  const { needsToken } = operation;
  return [
    { language: 'sh', source: curl(target, needsToken) },
    { language: 'ts', source: typescript(target, needsToken) },
    { language: 'python', source: python(target, needsToken) },
  ] as const;
}

const curl = (target: string, needsToken: boolean): string =>
  `curl ${needsToken ? `-H "${TOKEN_HEADER}: $TOKEN" ` : ''}"$BASE_URL${target}"`;

function typescript(target: string, needsToken: boolean): string {
  const headers = `const headers = { '${TOKEN_HEADER}': process.env.TOKEN ?? '' };\n`;
  return `${needsToken ? headers : ''}const response = await fetch(process.env.BASE_URL + '${target}'${needsToken ? ', { headers }' : ''});
if (!response.ok) throw new Error(await response.text());
console.log(await response.json());`;
}

function python(target: string, needsToken: boolean): string {
  const headers = needsToken ? `, headers={"${TOKEN_HEADER}": os.environ["TOKEN"]}` : '';
  return `import json
import os
import sys
import urllib.error
import urllib.request

url = os.environ["BASE_URL"] + "${target}"
request = urllib.request.Request(url${headers})
try:
    print(json.load(urllib.request.urlopen(request)))
except urllib.error.HTTPError as error:
    sys.exit(error.read().decode())  # says what is wrong`;
}
