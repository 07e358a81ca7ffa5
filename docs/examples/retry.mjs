/**
 * Runs a command up to three times while it fails for a reason that may pass:
 *
 *     node docs/examples/retry.mjs npm run snapshot -- publish --snapshot dist/snapshot --env production --remote
 *
 * Exit codes of the commands, and what is worth another try:
 *
 *     0    done                 nothing to do
 *     1    refused or failed    if the code at the end of its error line is in the list below
 *     2    wrong usage          never: it would be wrong again
 *     130  interrupted          never: that was on purpose
 *
 * The last exit code is passed on. A pause that is interrupted ends with 130: what is live is what the
 * last try said. RETRY_WAIT is the number of seconds before the second try (60 by default); the third
 * waits twice as long.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

const PASSING = new Set([
  // The network, or Cloudflare's API, for a while.
  'api_failed',
  // Storage showed something else than what was written: what is missing is uploaded again.
  'read_back_failed',
  // Another command published or purged meanwhile: the next try compares anew.
  'publish_conflict',
  // The release is live by the log, or may be: the next try tells readers.
  ...['pointer_behind', 'entry_unknown'],
]);

const TRIES = 3;
const INTERRUPTED = 130;
const WAIT = Number(process.env.RETRY_WAIT ?? 60);

const [, , program, ...args] = process.argv;

const interruption = new AbortController();
let child = null;
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => {
    interruption.abort();
    // It is told to end, and says what is live.
    child?.kill('SIGTERM');
  });
}

/** Runs the command to its end. What it prints is seen at once. */
async function run() {
  child = spawn(program, args, { stdio: ['inherit', 'inherit', 'pipe'] });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text) => {
    process.stderr.write(text);
    errors += text;
  });
  const [status, signal] = await once(child, 'close');
  child = null;
  // A signal that met the command and this process together may be told after the command's end.
  await sleep(10);
  const code = [...errors.matchAll(/\[([a-z_]+)\]$/gm)].at(-1)?.[1];
  // As a shell has it.
  return { status: status ?? 128 + constants.signals[signal], code };
}

/** Whether the pause ended by itself. */
async function pause(seconds) {
  const { signal } = interruption;
  return sleep(1000 * seconds, true, { signal }).catch(() => false);
}

async function retry() {
  for (let number = 1; ; number++) {
    const { status, code } = await run();
    const mayPass = status === 1 && PASSING.has(code) && !interruption.signal.aborted;
    if (!mayPass || number === TRIES) return status;
    const seconds = WAIT * number;
    console.error(`${code} may pass: trying again in ${seconds} s`);
    if (!(await pause(seconds))) return INTERRUPTED;
  }
}

process.exitCode = await retry().catch((error) => {
  console.error(`error: ${error.message}`);
  return 1;
});
