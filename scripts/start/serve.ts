/** Serves stores on this machine: fills local storage, starts `wrangler dev`, and prints what to paste. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { LIST_PATH } from '../../src/http/paths.ts';
import { CommandError, UsageError } from '../cli/command-error.ts';
import type { SourceChoice } from '../cli/common-options.ts';
import { untilStopped } from '../cli/interruption.ts';
import { plural, printJson, printText, shellWord, visible } from '../cli/output.ts';
import {
  OFFLINE_VARIABLES,
  PROJECT_FOLDER,
  stateFolder,
  wranglerProgram,
} from '../cli/platform.ts';
import type { CommandContext } from '../cli/run-command.ts';
import type { LogEntry } from '../release/log-entry.ts';
import { FIXTURES_COMMAND, type PreparedStorage, prepareStorage } from './prepare-storage.ts';

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
  await using server = startDevServer(port);
  await server.untilHealthy(signal);
  await announce(server.url, storage, context);
  // On Ctrl-C it may have ended before us.
  await Promise.race([untilStopped(signal), server.ended]);
  if (!signal.aborted && !server.isRunning()) {
    throw new CommandError('wrangler dev ended by itself');
  }
  return { data: undefined, text: 'Stopped.' };
}

/** Checks a port. @throws CommandError port_taken, or when the port cannot be had for another reason */
async function expectFreePort(port: number): Promise<void> {
  const server = createServer();
  try {
    server.listen(port, HOST);
    await once(server, 'listening');
  } catch (cause) {
    const isTaken = cause instanceof Error && 'code' in cause && cause.code === 'EADDRINUSE';
    if (!isTaken)
      throw new CommandError(`port ${port} cannot be used: ${cause}`, 'failed', { cause });
    const message = `port ${port} is taken: stop what runs there, or choose another with --port`;
    throw new CommandError(message, 'port_taken', { cause });
  } finally {
    server.close();
  }
}

/** Starts `wrangler dev` for development. What it prints goes to standard error. */
function startDevServer(port: number) {
  const url = `http://${HOST}:${port}`;
  // The empty environment is the top level of wrangler.toml, whatever CLOUDFLARE_ENV says.
  const where = ['--env', '', '--ip', HOST, '--port', String(port), '--persist-to', stateFolder()];
  // Two servers that start at once would choose one port for the debugger: the system gives each its own.
  const debugging = ['--inspector-port', '0'];
  const order = ['dev', ...where, ...debugging, '--show-interactive-dev-session=false'];
  const child = spawn(process.execPath, [wranglerProgram(), ...order], {
    cwd: PROJECT_FOLDER,
    env: { ...process.env, ...OFFLINE_VARIABLES },
    // Without standard input wrangler asks nothing and leaves the keyboard to us.
    stdio: ['ignore', STDERR, STDERR],
  });
  // Whatever ends this process, no server is left behind on the port.
  process.once('exit', () => child.kill());
  const ended = once(child, 'exit');
  const isRunning = () => child.exitCode === null && child.signalCode === null;
  return {
    url,
    /** Settles when the server has ended, however it did. */
    ended,
    isRunning,

    /**
     * Waits until /healthz answers 200.
     * @throws CommandError when the server ends or takes too long, the reason of `signal`
     */
    async untilHealthy(signal: AbortSignal): Promise<void> {
      const deadline = Date.now() + START_LIMIT;
      for (;;) {
        const answer = await askHealth(url);
        if (answer === '200') return;
        signal.throwIfAborted();
        if (!isRunning()) throw new CommandError('wrangler dev ended before it answered');
        if (Date.now() > deadline) {
          throw new CommandError(`${url}/healthz is not well after five minutes: ${answer}`);
        }
        await sleep(POLL_INTERVAL);
      }
    },

    /** Ends the server and waits until it has let go of its port. */
    async [Symbol.asyncDispose](): Promise<void> {
      child.kill();
      await ended;
    },
  };
}

async function askHealth(url: string): Promise<string> {
  try {
    const response = await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(POLL_LIMIT) });
    await response.arrayBuffer();
    return String(response.status);
  } catch {
    return 'no answer';
  }
}

async function announce(
  url: string,
  storage: PreparedStorage,
  { json }: CommandContext,
): Promise<void> {
  if (!json) return printText(describeStart(url, storage));
  const { kept, replaced, storeCount, token, validation } = storage;
  const idOf = (entry: LogEntry | null) => entry?.manifest.release ?? null;
  const live = { storeCount, kept: idOf(kept), replaced: idOf(replaced), validation };
  await printJson({ url, token, ...live });
}

/** Says what is served, and what to paste. */
export function describeStart(
  url: string,
  { kept, replaced, storeCount, token, leftOut }: PreparedStorage,
): string {
  return [
    ...leftOut,
    '',
    ...(kept ? describeKept(kept) : []),
    ...(replaced ? describeReplaced(replaced) : []),
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

function describeReplaced({ manifest, by, publishedAt, hold }: LogEntry): string[] {
  const held = hold ? ', and ended the hold on publishing' : '';
  return [
    `Replaced what ${visible(by)} has published, ${publishedAt} (release ${manifest.release})${held}. It comes back with`,
    '',
    '  npm run snapshot -- rollback',
    '',
  ];
}

/** Says what stays live. While publishing is held, the fixtures come back only after a resume. */
function describeKept({ manifest, by, publishedAt, hold }: LogEntry): string[] {
  return [
    `Kept what ${by} has published, ${publishedAt} (release ${manifest.release}). The fixtures come back with`,
    '',
    ...(hold ? ['  npm run snapshot -- resume'] : []),
    `  ${FIXTURES_COMMAND}`,
    '',
  ];
}
