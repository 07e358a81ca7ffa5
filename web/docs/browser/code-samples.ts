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

/** A value in a request that no service has (a store, a release): a sample first asks for one that exists. */
export interface Invented {
  readonly text: string;
  /** The request whose answer has a real one. */
  readonly source: string;
  /** The property of that answer, which names the variable too. */
  readonly name: string;
  /** How JavaScript gets there: `.docs[0].slug`. */
  readonly path: string;
}

const TOKEN_HEADER = 'x-access-token';

/** The same request by the names that Markdown has for languages. */
export const SAMPLES = { sh: curl, ts: typescript, python } as const;

function curl({ target, needsToken, invented }: SampleRequest): string {
  const header = needsToken ? `-H "${TOKEN_HEADER}: $TOKEN" ` : '';
  const request = (path: string) => `${header}"$BASE_URL${path}"`;
  if (!invented) return `curl ${request(target)}`;
  const { text, source, name } = invented;
  const variable = name.toUpperCase();
  return `${variable}=$(curl -fsS ${request(source)} | sed -n 's/.*"${name}":"\\([^"]*\\)".*/\\1/p')
curl ${request(target.replace(text, `\${${variable}:?}`))}`;
}

function typescript({ target, needsToken, invented }: SampleRequest): string {
  const headers = `const headers = { '${TOKEN_HEADER}': process.env.TOKEN ?? '' };\n`;
  const fetched = (name: string, path: string) =>
    `const ${name} = await fetch(process.env.BASE_URL + ${path}${needsToken ? ', { headers }' : ''});
if (!${name}.ok) throw new Error(await ${name}.text());`;
  const response = invented
    ? `${fetched('first', `'${invented.source}'`)}
const ${invented.name} = (await first.json())${invented.path};

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
${invented.name} = json.load(first)${invented.path.replaceAll(/\.(\w+)/g, '["$1"]')}
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
