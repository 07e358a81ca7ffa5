/**
 * A request in the languages of partners. Each is a whole program: it runs as it stands here once
 * BASE_URL and TOKEN are set, with nothing to install. What the document has invented (a store, a
 * release) no service has, so a sample first asks for one that is there.
 */

import { LIST_PATH } from '../../src/http/paths.ts';
import { EXAMPLE_STORE } from '../openapi/example-store.ts';
import { SINCE } from '../openapi/request-examples.ts';
import type { LANGUAGES } from './markdown.ts';
import type { Operation } from './openapi.ts';

export interface CodeSample {
  readonly language: keyof typeof LANGUAGES;
  readonly source: string;
}

const TOKEN_HEADER = 'x-access-token';

/** What is invented in a request, and how a program gets one in its place. */
const INVENTED = [
  {
    text: EXAMPLE_STORE.slug,
    /** The request whose answer has one. */
    source: `${LIST_PATH}?limit=1&fields=slug`,
    /** The variable that holds it. */
    name: 'slug',
    /** The command that prints it. */
    curl: (request: string) => `curl -fsS ${request} | sed -n 's/.*"slug":"\\([^"]*\\)".*/\\1/p'`,
    /** Lines after the answer `first`. */
    typescript: 'const { slug } = (await first.json()).docs[0];',
    python: 'slug = json.load(first)["docs"][0]["slug"]',
  },
  {
    text: SINCE,
    source: `${LIST_PATH}?limit=0`,
    name: 'release',
    curl: (request: string) =>
      `curl -fsSI ${request} | tr -d '\\r' | sed -n 's/^x-snapshot-release: //p'`,
    typescript: "const release = first.headers.get('x-snapshot-release') ?? '';",
    python: 'release = first.headers["x-snapshot-release"]',
  },
];

/** Samples of the request that `operation` is shown with. */
export function codeSamples(operation: Operation): readonly CodeSample[] {
  const task = taskOf(operation);
  return [
    { language: 'sh', source: curl(task) },
    { language: 'ts', source: typescript(task) },
    { language: 'python', source: python(task) },
  ];
}

/** Path and query of a request that shows the operation: that of its first example, else its path alone. */
export function requestOf({ path, answers }: Operation): string {
  const [example] = answers[0]?.examples ?? [];
  return example?.description?.match(/`GET ([^`\s]+)`/)?.[1] ?? path;
}

/** What of a request or a value is invented. */
export function inventedIn(target: string) {
  return INVENTED.find(({ text }) => target.includes(text));
}

type Task = ReturnType<typeof taskOf>;

/** What a sample does. */
function taskOf(operation: Operation) {
  const { needsToken } = operation;
  const target = requestOf(operation);
  return { target, needsToken, invented: inventedIn(target) };
}

function curl({ target, needsToken, invented }: Task): string {
  const header = needsToken ? `-H "${TOKEN_HEADER}: $TOKEN" ` : '';
  const request = (path: string) => `${header}"$BASE_URL${path}"`;
  if (!invented) return `curl ${request(target)}`;
  const variable = invented.name.toUpperCase();
  const asked = target.replace(invented.text, `\${${variable}:?}`);
  return `${variable}=$(${invented.curl(request(invented.source))})
curl ${request(asked)}`;
}

function typescript({ target, needsToken, invented }: Task): string {
  const headers = `const headers = { '${TOKEN_HEADER}': process.env.TOKEN ?? '' };\n`;
  const fetched = (name: string, path: string) =>
    `const ${name} = await fetch(process.env.BASE_URL + ${path}${needsToken ? ', { headers }' : ''});
if (!${name}.ok) throw new Error(await ${name}.text());`;
  const response = invented
    ? `${fetched('first', `'${invented.source}'`)}
${invented.typescript}

${fetched('response', `\`${target.replace(invented.text, `\${encodeURIComponent(${invented.name})}`)}\``)}`
    : fetched('response', `'${target}'`);
  return `${needsToken ? headers : ''}${response}
console.log(await response.json());`;
}

function python({ target, needsToken, invented }: Task): string {
  const parse = invented ? 'import urllib.parse\n' : '';
  const headers = needsToken ? `, headers={"${TOKEN_HEADER}": os.environ["TOKEN"]}` : '';
  const response = invented
    ? `first = get("${invented.source}")
${invented.python}
response = get(f"${target.replace(invented.text, `{urllib.parse.quote(${invented.name})}`)}")`
    : `response = get("${target}")`;
  return `import json
import os
import sys
import urllib.error
${parse}import urllib.request


def get(target):
    url = os.environ["BASE_URL"] + target
    request = urllib.request.Request(url${headers})
    try:
        return urllib.request.urlopen(request)
    except urllib.error.HTTPError as error:
        sys.exit(error.read().decode())  # says what is wrong


${response}
print(json.load(response))`;
}
