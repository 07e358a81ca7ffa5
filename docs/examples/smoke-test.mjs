/**
 * Tries a Worker that was deployed a moment ago: waits until it serves the pages of this checkout, then
 * asks for what partners and monitors ask for. Ends with 1 at the first answer that is not as it should
 * be.
 *
 *     ADDRESS=https://staging.example.com ACCESS_TOKEN=… node docs/examples/smoke-test.mjs
 */
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

/** Milliseconds. A new Worker is live everywhere within seconds as a rule. */
const MAX_WAIT = Number(process.env.MAX_WAIT ?? 120_000);
const PAUSE = Math.min(3_000, MAX_WAIT / 10);

const { ADDRESS = '', ACCESS_TOKEN = '' } = process.env;

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

async function waitForBuild() {
  const built = await readFile(new URL('../../dist/site/docs/index.html', import.meta.url), 'utf8');
  const until = Date.now() + MAX_WAIT;
  for (;;) {
    const served = await ask('/docs').catch((error) => ({ text: '', error }));
    if (served.text === built) return;
    if (Date.now() > until) {
      fail(
        `${ADDRESS}/docs is not that of this build: ${served.error ?? `status ${served.status}`}`,
      );
    }
    await sleep(PAUSE);
  }
}

if (!URL.canParse(ADDRESS)) {
  fail(`ADDRESS is "${ADDRESS}", expected the address of the environment: fill in its variable`);
}
if (ACCESS_TOKEN === '') {
  fail('ACCESS_TOKEN is empty: issue a token of the environment, and put it into the secrets');
}
await waitForBuild();
console.log(`${ADDRESS} serves this build`);

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
