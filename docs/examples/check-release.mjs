/**
 * Waits until an environment serves the release in a folder made by `snapshot build`, and asks it for
 * one list. Ends with 1 when it does not come, or the list is not what the folder promises.
 *
 *     ACCESS_TOKEN=… node docs/examples/check-release.mjs dist/snapshot https://staging.example.com
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Milliseconds. Where KV serves, a new release is seen everywhere after a minute and a half. */
const MAX_WAIT = Number(process.env.MAX_WAIT ?? 300_000);
const PAUSE = Math.min(5_000, MAX_WAIT / 10);

const [folder = '', address = ''] = process.argv.slice(2);
const { ACCESS_TOKEN = '' } = process.env;

async function ask(path, headers = {}) {
  const signal = AbortSignal.timeout(30_000);
  const response = await fetch(new URL(path, address), { headers, signal });
  return { status: response.status, body: await response.json() };
}

/** What /healthz answers, or why it does not. */
async function health() {
  try {
    return await ask('/healthz');
  } catch (error) {
    return { status: 0, body: { detail: String(error) } };
  }
}

function fail(message) {
  console.error(`error: ${message}`);
  process.exit(1);
}

if (!URL.canParse(address)) {
  fail(`got "${address}", expected the address of the environment: fill in its variable`);
}
if (ACCESS_TOKEN === '') {
  fail('ACCESS_TOKEN is empty: issue a token of the environment, and put it into the secrets');
}
const wanted = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8'));
const until = Date.now() + MAX_WAIT;
let answer = await health();
// The name of a release ends with what `build` calls it.
while (answer.status !== 200 || !answer.body.release.endsWith(wanted.release)) {
  if (Date.now() > until) {
    const got = answer.status === 200 ? `release ${answer.body.release}` : answer.body.detail;
    fail(`${address}/healthz: got ${got}, expected release ${wanted.release}`);
  }
  await sleep(PAUSE);
  answer = await health();
}
console.log(`${address} serves release ${answer.body.release}`);

const list = await ask('/v2/external/stores?limit=1', { 'x-access-token': ACCESS_TOKEN });
if (list.status !== 200) fail(`the list was answered ${list.status}: ${list.body.detail}`);
const { total, docs } = list.body;
const expected = Math.min(1, wanted.storeCount);
if (total !== wanted.storeCount || docs.length !== expected) {
  fail(`the list has ${total} stores, expected ${wanted.storeCount}`);
}
console.log(`and lists ${total} stores, such as ${docs[0]?.slug ?? 'none'}`);
