/**
 * Tries an environment after a deployment or a publication: waits until it serves the pages of this checkout or,
 * where a folder made by `snapshot build` is named, the release in it; then asks for what partners and
 * monitors ask for. Ends with 1 at the first answer that is not as it should be.
 *
 *     ADDRESS=https://staging.example.com ACCESS_TOKEN=… node docs/examples/smoke-test.mjs [dist/snapshot]
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Milliseconds. A new Worker is live everywhere within seconds, a new release after a minute and a half. */
const MAX_WAIT = Number(process.env.MAX_WAIT ?? 300_000);

const { ADDRESS = '', ACCESS_TOKEN = '' } = process.env;
const [, , folder] = process.argv;

/** What every answer has to carry. */
const HEADERS = {
  'x-content-type-options': /^nosniff$/,
  'content-security-policy': /(^|; )default-src 'none'(;|$)/,
  'referrer-policy': /^no-referrer$/,
  'x-request-id': /^[\w.:-]+$/,
};

function fail(message) {
  console.error(`error: ${message}`);
  process.exit(1);
}

async function ask(path, headers = {}) {
  const signal = AbortSignal.timeout(30_000);
  const response = await fetch(new URL(path, ADDRESS), { headers, signal });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

/** The answer to `path`, which has to be of `status` and to carry the headers of every answer. */
async function expectAnswer(path, status, headers = {}) {
  const answer = await ask(path, headers);
  if (answer.status !== status) {
    fail(`${path} was answered ${answer.status}, expected ${status}: ${answer.text.slice(0, 500)}`);
  }
  for (const [name, wanted] of Object.entries(HEADERS)) {
    const value = answer.headers.get(name);
    if (value === null || !wanted.test(value)) fail(`${path} has ${name} "${value}"`);
  }
  return answer;
}

/** Waits until the answer to `path` is what it has to be. @param what the service then serves */
async function waitFor(path, what, isThere) {
  const until = Date.now() + MAX_WAIT;
  for (;;) {
    const { status, text } = await ask(path).catch((error) => ({ status: 0, text: String(error) }));
    if (isThere(text)) return console.log(`${ADDRESS} serves ${what}`);
    if (Date.now() > until) {
      fail(`${ADDRESS}${path} is not that of ${what}: status ${status}, ${text.slice(0, 500)}`);
    }
    await sleep(Math.min(3_000, MAX_WAIT / 10));
  }
}

if (!URL.canParse(ADDRESS)) {
  fail(`ADDRESS is "${ADDRESS}", expected the address of the environment: fill in its variable`);
}
if (ACCESS_TOKEN === '') {
  fail('ACCESS_TOKEN is empty: issue a token of the environment, and put it into the secrets');
}
if (folder === undefined) {
  const built = await readFile(new URL('../../dist/site/docs/index.html', import.meta.url), 'utf8');
  await waitFor('/docs', 'this build', (text) => text === built);
} else {
  const { release } = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8'));
  // The name of a release is a number and what `build` calls it.
  await waitFor('/healthz', `release ${release}`, (text) => text.includes(`-${release}"`));
}

const health = JSON.parse((await expectAnswer('/healthz', 200)).text);
console.log(`with release ${health.release}, ${health.storeCount} stores`);

const refused = JSON.parse((await expectAnswer('/v2/external/stores', 401)).text);
if (refused.code !== 'token_missing') fail(`no token is told ${refused.code}`);

const token = { 'x-access-token': ACCESS_TOKEN };
const list = await expectAnswer('/v2/external/stores?limit=1&fields=id,slug', 200, token);
const { total, docs } = JSON.parse(list.text);
if (docs.length !== Math.min(1, total)) fail(`a list of ${total} stores has ${docs.length} of one`);
// Something may have been published between the two answers.
if (list.headers.get('x-snapshot-release') === health.release && total !== health.storeCount) {
  fail(`the list has ${total} stores, /healthz says ${health.storeCount}`);
}
for (const { id, slug } of docs) {
  const store = JSON.parse((await expectAnswer(`/v2/external/stores/${id}`, 200, token)).text);
  if (store.slug !== slug) fail(`store ${id} has the slug ${store.slug}, in the list ${slug}`);
}
console.log(`and lists ${total} stores, such as ${docs[0]?.slug ?? 'none'}`);
