/** Serves stores on this machine: fills local storage, starts `wrangler dev`, and prints what to paste. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { LIST_PATH } from '../../src/http/paths.ts';
import { CommandError, reasonOf, UsageError } from '../cli/command-error.ts';
import type { SourceChoice } from '../cli/common-options.ts';
import { plural, printJson, printText, shellWord, visible } from '../cli/output.ts';
import {
  OFFLINE_VARIABLES,
  PROJECT_FOLDER,
  stateFolder,
  WRANGLER_PROGRAM,
} from '../cli/platform.ts';
import type { CommandContext } from '../cli/run-command.ts';
import type { LogEntry } from '../release/log-entry.ts';
import { FIXTURES_COMMANDS, type PreparedStorage, prepareStorage } from './prepare-storage.ts';

/** Where it listens: no other machine reaches it. */
const HOST = '127.0.0.1';

/** Milliseconds that the server may take to its first good answer; in a fresh clone it builds the pages. */
const START_LIMIT = 300_000;
const POLL_INTERVAL = 150;
const POLL_LIMIT = 5_000;

const STDERR = 2;

interface StartOptions extends Partial<SourceChoice> {
  readonly port: number;
}

export async function run({ port, ...choice }: StartOptions, context: CommandContext) {
  if (choice.defaults !== undefined && choice.source === undefined) {
    throw new UsageError('--defaults needs --source: the fixture stores lack nothing');
  }
  await expectFreePort(port);
  const storage = await prepareStorage(choice, context);
  const { signal } = context;
  const url = `http://${HOST}:${port}`;
  await using server = startDevServer(port);
  const stopped = AbortSignal.any([signal, server.ended]);
  await untilHealthy(url, stopped);
  const { storeCount, token } = storage;
  if (context.json) await printJson({ url, token, storeCount });
  else await printText(describeStart(url, storage));
  if (!stopped.aborted) await once(stopped, 'abort');
  // On Ctrl-C it may have ended before us.
  if (!signal.aborted) throw server.ended.reason;
  return { data: undefined, text: 'Stopped.' };
}

/** Checks a port. @throws CommandError port_taken */
async function expectFreePort(port: number): Promise<void> {
  await using server = createServer();
  await once(server.listen(port, HOST), 'listening').catch((cause) => {
    const message = `port ${port} cannot be used: ${reasonOf(cause)}; choose another with --port`;
    throw new CommandError(message, 'port_taken', { cause });
  });
}

/** Starts `wrangler dev` for development. What it prints goes to standard error. */
function startDevServer(port: number) {
  // The empty environment is the top level of wrangler.toml, whatever CLOUDFLARE_ENV says.
  const where = ['--env', '', '--ip', HOST, '--port', String(port), '--persist-to', stateFolder()];
  // Two servers that start at once would choose one port for the debugger: the system gives each its own.
  const debugging = ['--inspector-port', '0'];
  const order = ['dev', ...where, ...debugging, '--show-interactive-dev-session=false'];
  const child = spawn(process.execPath, [WRANGLER_PROGRAM, ...order], {
    cwd: PROJECT_FOLDER,
    env: { ...process.env, ...OFFLINE_VARIABLES },
    // Without standard input wrangler asks nothing and leaves the keyboard to us.
    stdio: ['ignore', STDERR, STDERR],
  });
  // Whatever ends this process, no server is left behind on the port.
  process.once('exit', () => child.kill());
  const end = new AbortController();
  const ended = once(child, 'exit').then(() => {
    end.abort(new CommandError('wrangler dev ended by itself'));
  });
  return {
    /** Aborted when the server has ended, however it did. */
    ended: end.signal,

    /** Ends the server and waits until it has let go of its port. */
    async [Symbol.asyncDispose](): Promise<void> {
      child.kill();
      await ended;
    },
  };
}

/** Waits until /healthz answers well. @throws CommandError when that takes too long; the reason of `stopped` */
async function untilHealthy(url: string, stopped: AbortSignal): Promise<void> {
  const deadline = Date.now() + START_LIMIT;
  while (Date.now() < deadline) {
    const options = { signal: AbortSignal.timeout(POLL_LIMIT) };
    const answer = await fetch(`${url}/healthz`, options).catch(() => null);
    if (answer?.ok) return;
    stopped.throwIfAborted();
    await sleep(POLL_INTERVAL);
  }
  throw new CommandError(`${url}/healthz is not well after five minutes`);
}

/** Says what is served, and what to paste. */
export function describeStart(
  url: string,
  { kept, replaced, storeCount, token, leftOut }: PreparedStorage,
): string {
  return [
    ...leftOut,
    '',
    ...describeOwn(kept ?? replaced, kept !== null),
    `${plural(storeCount, 'store')} on ${url}. Paste into another terminal:`,
    '',
    `  curl -H ${shellWord(`x-access-token: ${token}`)} ${shellWord(`${url}${LIST_PATH}?limit=2`)}`,
    '',
    'The examples of the README and of the guides need',
    '',
    `  export BASE_URL=${shellWord(url)} TOKEN=${shellWord(token)}`,
    '',
    'The token is new at each start, and that of the last one is no longer accepted.',
    '',
    `  Find stores on a map:  ${url}/explore#token=${token}`,
    `  Documentation:         ${url}/docs`,
    '',
    'Ctrl-C stops the server.',
    '',
  ].join('\n');
}

/** Says what has become of stores that the user has published, and how the others come back. */
function describeOwn(own: LogEntry | null, isKept: boolean): string[] {
  if (!own) return [];
  const [state, others] = isKept ? ['Kept', 'The fixtures come'] : ['Replaced', 'They come'];
  const commands = isKept ? FIXTURES_COMMANDS : ['npm run snapshot -- rollback'];
  return [
    `${state} the stores of ${visible(own.by)}, ${own.publishedAt} (release ${own.manifest.release}). ${others} back with`,
    '',
    ...commands.map((command) => `  ${command}`),
    '',
  ];
}
