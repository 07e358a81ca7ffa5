/**
 * A request in the languages of partners. Each is a whole program: it runs as it stands here once
 * BASE_URL and TOKEN are set, with nothing to install. "Try it" writes them anew as its form changes.
 */

export interface SampleRequest {
  /** Path and query. */
  readonly target: string;
  readonly needsToken: boolean;
  readonly invented?: Invented | undefined;
}

/** A part of a request that no service has (a store, a release): a sample first asks for one that exists. */
export interface Invented {
  readonly name: keyof typeof FIRST_ANSWERS;
  readonly text: string;
  /** The request whose answer has one. */
  readonly source: string;
}

const TOKEN_HEADER = 'x-access-token';

/** How each language takes what it needs from the answer `first`. */
const FIRST_ANSWERS = {
  slug: {
    curl: (request: string) => `curl -fsS ${request} | sed -n 's/.*"slug":"\\([^"]*\\)".*/\\1/p'`,
    typescript: 'const { slug } = (await first.json()).docs[0];',
    python: 'slug = json.load(first)["docs"][0]["slug"]',
  },
  release: {
    curl: (request: string) =>
      `curl -fsSI ${request} | tr -d '\\r' | sed -n 's/^x-snapshot-release: //p'`,
    typescript: "const release = first.headers.get('x-snapshot-release') ?? '';",
    python: 'release = first.headers["x-snapshot-release"]',
  },
};

/** The same request by the names that Markdown has for languages. */
export const SAMPLES = { sh: curl, ts: typescript, python } as const;

function curl({ target, needsToken, invented }: SampleRequest): string {
  const header = needsToken ? `-H "${TOKEN_HEADER}: $TOKEN" ` : '';
  const request = (path: string) => `${header}"$BASE_URL${path}"`;
  if (!invented) return `curl ${request(target)}`;
  const variable = invented.name.toUpperCase();
  const asked = target.replace(invented.text, `\${${variable}:?}`);
  return `${variable}=$(${FIRST_ANSWERS[invented.name].curl(request(invented.source))})
curl ${request(asked)}`;
}

function typescript({ target, needsToken, invented }: SampleRequest): string {
  const headers = `const headers = { '${TOKEN_HEADER}': process.env.TOKEN ?? '' };\n`;
  const fetched = (name: string, path: string) =>
    `const ${name} = await fetch(process.env.BASE_URL + ${path}${needsToken ? ', { headers }' : ''});
if (!${name}.ok) throw new Error(await ${name}.text());`;
  const response = invented
    ? `${fetched('first', `'${invented.source}'`)}
${FIRST_ANSWERS[invented.name].typescript}

${fetched('response', `\`${target.replace(invented.text, `\${encodeURIComponent(${invented.name})}`)}\``)}`
    : fetched('response', `'${target}'`);
  return `${needsToken ? headers : ''}${response}
console.log(await response.json());`;
}

function python({ target, needsToken, invented }: SampleRequest): string {
  const parse = invented ? 'import urllib.parse\n' : '';
  const headers = needsToken ? `, headers={"${TOKEN_HEADER}": os.environ["TOKEN"]}` : '';
  const response = invented
    ? `first = get("${invented.source}")
${FIRST_ANSWERS[invented.name].python}
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
